import type { ReactNode } from "react";
import { Radio } from "react-aria-components";
import "./radios.css";

/** One of several answers, within a `RadioGroup`. */
export function RadioLine({
  value,
  children,
}: {
  readonly value: string;
  readonly children: ReactNode;
}) {
  return (
    <Radio value={value} className="radio-line">
      <span className="radio-dot" aria-hidden="true" />
      <span>{children}</span>
    </Radio>
  );
}
