import { useState } from "react";
import { t } from "../text/t.ts";
import { count } from "./format.ts";
import "./fields.css";

const HEIGHT = 100;
/** Above the highest bar, for its value, in pixels; as in fields.css. */
const ROOM = 24;
/** So few bars have room for the value of each above it; of more, the highest shows its own. */
const FEW = 12;

interface Point {
  readonly name: string;
  readonly value: number;
}

/**
 * Columns over time, oldest at the left in every language. A bar's name and value show under the pointer, and with the
 * arrow keys once the chart has the focus; the same figures are a table below.
 */
export function Bars({
  title,
  names,
  of: points,
}: {
  readonly title: string;
  /** The heads of the table: what a bar stands for, and what it counts. */
  readonly names: readonly [string, string];
  readonly of: readonly Point[];
}) {
  const [pointed, setPointed] = useState<number | null>(null);
  const most = Math.max(1, ...points.map(({ value }) => value));
  const highest = points.findIndex(({ value }) => value === most);
  const last = points.length - 1;
  const at = Math.min(pointed ?? last, last);
  const shown = points[at];
  // A few bars stay as slim as those of a month.
  const places = Math.max(points.length, 24);
  const width = places * 10;
  return (
    <figure className="bars" aria-label={title}>
      <figcaption>{title}</figcaption>
      <div
        className="bars-plot"
        role="slider"
        tabIndex={0}
        aria-label={title}
        aria-valuemin={1}
        aria-valuemax={Math.max(1, points.length)}
        aria-valuenow={at + 1}
        aria-valuetext={shown && `${shown.name}: ${count(shown.value)}`}
        onFocus={() => setPointed(last)}
        onBlur={() => setPointed(null)}
        onPointerLeave={() => setPointed(null)}
        onPointerMove={({ clientX, currentTarget }) => {
          const { left, width: wide } = currentTarget.getBoundingClientRect();
          const index = Math.floor(((clientX - left) / wide) * places);
          setPointed(index >= 0 && index <= last ? index : null);
        }}
        onKeyDown={(event) => {
          const step = STEPS[event.key];
          if (step === undefined) return;
          event.preventDefault();
          setPointed(
            Math.max(0, Math.min(last, step === "ends" ? ends(event.key, last) : at + step)),
          );
        }}
      >
        <svg viewBox={`0 0 ${width} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          <line x1={0} x2={width} y1={HEIGHT} y2={HEIGHT} vectorEffect="non-scaling-stroke" />
          {points.map(({ name, value }, index) => (
            <rect
              key={name}
              data-pointed={index === pointed}
              x={index * 10 + 1.5}
              width={7}
              y={HEIGHT - (value / most) * HEIGHT}
              height={(value / most) * HEIGHT}
            />
          ))}
        </svg>
        {points.map(({ name, value }, index) =>
          value > 0 && (points.length <= FEW || index === highest || index === pointed) ? (
            <bdi
              key={name}
              aria-hidden="true"
              className="bars-value"
              data-highest={index === highest}
              data-pointed={index === pointed}
              data-edge={
                index > places * 0.85 ? "end" : index < places * 0.15 ? "start" : undefined
              }
              style={{
                insetInlineStart: `${((index + 0.5) / places) * 100}%`,
                insetBlockEnd: `calc((100% - ${ROOM}px) * ${value / most})`,
              }}
            >
              {index === pointed ? `${name}: ${count(value)}` : count(value)}
            </bdi>
          ) : null,
        )}
      </div>
      <div
        className="bars-ends"
        style={{ inlineSize: `${(points.length * 1000) / width}%` }}
        aria-hidden="true"
      >
        <bdi>{points[0]?.name}</bdi>
        <bdi>{points.length > 1 ? points.at(-1)?.name : ""}</bdi>
      </div>
      <Figures names={names} of={points} />
    </figure>
  );
}

/** The same figures as a table. */
function Figures({
  names,
  of: points,
}: {
  readonly names: readonly [string, string];
  readonly of: readonly Point[];
}) {
  return (
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
  );
}

/** What a key does to the bar that is read. Time runs to the right in every language. */
const STEPS: Readonly<Record<string, number | "ends">> = {
  ArrowLeft: -1,
  ArrowDown: -1,
  ArrowRight: 1,
  ArrowUp: 1,
  Home: "ends",
  End: "ends",
};
const ends = (key: string, last: number): number => (key === "Home" ? 0 : last);
