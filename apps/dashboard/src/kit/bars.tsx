import { t } from "../text/t.ts";
import { count } from "./format.ts";
import "./fields.css";

const HEIGHT = 100;

/** Columns over time, oldest at the left in every language, with the same figures as a table below. */
export function Bars({
  title,
  names,
  of: points,
}: {
  readonly title: string;
  /** The heads of the table: what a bar stands for, and what it counts. */
  readonly names: readonly [string, string];
  readonly of: readonly { readonly name: string; readonly value: number }[];
}) {
  const most = Math.max(1, ...points.map(({ value }) => value));
  // A few bars stay as slim as those of a month.
  const width = Math.max(points.length, 24) * 10;
  return (
    <figure className="bars" aria-label={title}>
      <figcaption>{title}</figcaption>
      <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <line x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} vectorEffect="non-scaling-stroke" />
        {points.map(({ name, value }, index) => (
          <rect
            key={name}
            x={index * 10 + 1.5}
            width={7}
            y={HEIGHT - (value / most) * HEIGHT}
            height={(value / most) * HEIGHT}
          >
            <title>{`${name}: ${count(value)}`}</title>
          </rect>
        ))}
      </svg>
      <div
        className="bars-ends"
        style={{ inlineSize: `${(points.length * 1000) / width}%` }}
        aria-hidden="true"
      >
        <bdi>{points[0]?.name}</bdi>
        <bdi>{points.length > 1 ? points.at(-1)?.name : ""}</bdi>
      </div>
      <details>
        <summary>{t("kit.figures")}</summary>
        <div className="data-table">
          <table>
            <thead>
              <tr>
                <th scope="col">{names[0]}</th>
                <th scope="col" data-numeric>
                  {names[1]}
                </th>
              </tr>
            </thead>
            <tbody>
              {points.map(({ name, value }) => (
                <tr key={name}>
                  <th scope="row">
                    <bdi>{name}</bdi>
                  </th>
                  <td data-numeric>
                    <bdi>{count(value)}</bdi>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  );
}
