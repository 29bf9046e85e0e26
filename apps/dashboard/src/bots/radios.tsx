import { Label, RadioGroup } from "react-aria-components";
import { RadioLine } from "../kit/radios.tsx";
import { t, type PlainKey } from "../text/t.ts";

/** One of a few answers, each in a word or two. */
export function Radios<const Value extends string>({
  label,
  options,
  value,
  mayWrite,
  choose,
}: {
  readonly label: string;
  readonly options: readonly (readonly [Value, PlainKey])[];
  readonly value: string;
  readonly mayWrite: boolean;
  readonly choose: (value: string) => void;
}) {
  return (
    <RadioGroup className="bots-radios" value={value} isReadOnly={!mayWrite} onChange={choose}>
      <Label>{label}</Label>
      <div>
        {options.map(([one, name]) => (
          <RadioLine key={one} value={one}>
            {t(name)}
          </RadioLine>
        ))}
      </div>
    </RadioGroup>
  );
}
