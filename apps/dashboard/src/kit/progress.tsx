import { Label, ProgressBar } from "react-aria-components";
import { percent } from "./format.ts";
import "./fields.css";

/**
 * The progress of something, named by its label. `text` gives it in numbers; without it the percentage is shown. What has
 * no limit has no track: it is a count, which people who hear the page find where the other counts are.
 */
export function Progress({
  label,
  done,
  of: total,
  text,
  tone,
}: {
  readonly label: string;
  readonly done: number;
  /** 0: not known yet. Null: there is no limit. */
  readonly of: number | null;
  readonly text?: string;
  readonly tone?: "warn" | "bad";
}) {
  const share = total !== null && total > 0 ? Math.min(1, done / total) : 0;
  const words = text ?? percent(share);
  return (
    <ProgressBar
      className="bar-progress"
      data-tone={tone}
      value={share * 100}
      valueLabel={words}
      isIndeterminate={total === 0}
    >
      <div>
        <Label>{label}</Label>
        <bdi>{words}</bdi>
      </div>
      {total !== null && (
        <div className="bar-progress-track">
          <div className="bar-progress-fill" style={{ inlineSize: `${share * 100}%` }} />
        </div>
      )}
    </ProgressBar>
  );
}
