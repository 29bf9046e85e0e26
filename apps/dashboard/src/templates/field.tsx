import type { ReactNode } from "react";
import { TextInput } from "../kit/fields.tsx";

/** One text of a template, with its present fault. */
export function Field({
  fault,
  value,
  change,
  disabled = false,
  ...rest
}: {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly rows?: number;
  readonly code?: boolean;
  readonly placeholder?: string;
  readonly disabled?: boolean;
  readonly fault: string | undefined;
  readonly value: string;
  readonly change: (value: string) => void;
}) {
  return (
    <TextInput
      {...rest}
      value={value}
      onChange={change}
      isDisabled={disabled}
      validationBehavior="aria"
      validate={() => fault ?? null}
    />
  );
}
