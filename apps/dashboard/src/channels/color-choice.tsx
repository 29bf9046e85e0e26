import { Radio, RadioGroup, Label } from "react-aria-components";
import { t } from "../text/t.ts";

/** Colours that suit most sites; the first is the widget's own. */
const COLORS = [
  "#0b6b4a",
  "#0b5f59",
  "#1d5b9c",
  "#5b3fa8",
  "#b3261e",
  "#8f4e00",
  "#1c1b18",
] as const;
const FIRST = COLORS[0];

/** A colour: one of a few, or any. Empty: the widget's own. */
export function ColorChoice({
  value,
  change,
}: {
  readonly value: string;
  readonly change: (color: string) => void;
}) {
  const shown = value === "" ? FIRST : value.toLowerCase();
  return (
    <div className="color-choice">
      <RadioGroup value={shown} onChange={(color) => change(color)} orientation="horizontal">
        <Label>{t("channels.web.color")}</Label>
        <div>
          {COLORS.map((color) => (
            <Radio key={color} value={color} aria-label={color} style={{ background: color }} />
          ))}
        </div>
      </RadioGroup>
      <label className="color-own">
        <input
          type="color"
          value={shown}
          onChange={({ currentTarget }) => change(currentTarget.value)}
        />
        <span>{t("channels.web.color.own")}</span>
        <bdi dir="ltr">{shown}</bdi>
      </label>
    </div>
  );
}
