import { useContext, useState, type ReactNode } from "react";
import {
  FieldError,
  FieldErrorContext,
  Text,
  type FieldErrorRenderProps,
} from "react-aria-components";
import { t } from "../text/t.ts";
import "./fields.css";

/**
 * The line below a text field: its hint or its fault. Every text field ends with it.
 *
 * The room of one line is there from the start, and room that a longer fault once took is kept. A field is judged when
 * it is left, so also when a button is pressed: a button that moved at that moment would miss the press.
 */
export function FieldFoot({
  hint,
  fault,
}: {
  readonly hint?: ReactNode;
  /** Its fault, until the page removes it; without it, the form's `validationErrors` and the browser's own rules. */
  readonly fault?: string | undefined;
}) {
  const judged = useContext(FieldErrorContext);
  const shown = judged?.isInvalid ? (fault ?? faultWords(judged)) : "";
  const [kept, keep] = useState(shown);
  if (shown !== "" && shown !== kept) keep(shown);
  return (
    <div className="field-foot" data-bare={hint === undefined || undefined}>
      {hint !== undefined && (
        <Text slot="description" className="hint" data-replaced={shown !== "" || undefined}>
          {hint}
        </Text>
      )}
      <FieldError>{shown}</FieldError>
      {kept !== "" && shown === "" && (
        <span className="field-foot-kept" aria-hidden="true">
          {kept}
        </span>
      )}
    </div>
  );
}

/** What a field lacks, in the page's language: the browser would say it in its own. */
function faultWords({ validationDetails: is, validationErrors }: FieldErrorRenderProps): string {
  if (is.valueMissing) return t("kit.fault.missing");
  // The only type with a form that the browser checks.
  if (is.typeMismatch) return t("kit.fault.email");
  if (is.badInput) return t("kit.fault.unreadable");
  return validationErrors.join(" ");
}
