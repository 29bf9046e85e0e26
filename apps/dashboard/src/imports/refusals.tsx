import type { AnswerOf } from "../api/call.ts";
import { t } from "../text/t.ts";
import { linesText } from "./choose-file.tsx";

type Refusal = AnswerOf<"readImport">["refusals"][number];

/** Why rows are refused, how many for each reason, which rows, and advice. */
export function Refusals({ of: refusals }: { readonly of: readonly Refusal[] }) {
  return (
    <ul className="import-refusals">
      {refusals.map((one) => (
        <li key={`${one.kind} ${one.attribute ?? ""} ${one.reason}`}>
          <span dir="auto">{refusalText(one)}</span>
          {one.lines.length > 0 && (
            <small>
              <bdi>{linesText(one.lines, one.rows)}</bdi>
            </small>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Why rows are refused, in the reader's language. */
export function refusalText({
  kind,
  rows,
  attribute,
  reason,
}: Pick<Refusal, "kind" | "rows" | "attribute" | "reason">): string {
  if (kind === "unreadable") return t("imports.refused.unreadable");
  if (kind === "other") return t("imports.refused.other", { count: rows, reason });
  if (
    kind === "bad_number" ||
    kind === "bad_date" ||
    kind === "bad_choice" ||
    kind === "bad_yes_no"
  )
    return t(`imports.refused.${kind}`, { count: rows, attribute: attribute ?? "optedOut" });
  return t(`imports.refused.${kind}`, { count: rows });
}
