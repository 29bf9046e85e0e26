import { Link } from "react-aria-components";
import type { ApiError } from "../api/api-error.ts";
import { Failure } from "../kit/failure.tsx";
import { t, type PlainKey } from "../text/t.ts";

const WORDS: Readonly<Record<string, PlainKey>> = {
  NOT_ALLOWED_IN_STATE: "bots.error.state",
  BOT_LIMIT_REACHED: "bots.error.limit",
  BOT_NOT_PUBLISHABLE: "bots.error.faults",
  CASES_FAIL: "bots.error.cases",
  VALIDATION_FAILED: "bots.error.document",
};

/** Why a call of a bot failed, in the words of these pages. */
export function FailureOfBot({
  of: failed,
  asked = false,
}: {
  readonly of: ApiError | null;
  /** The bot was asked: its state is that no model is set. */
  readonly asked?: boolean;
}) {
  if (failed === null) return null;
  if (asked && failed.code === "NOT_ALLOWED_IN_STATE")
    return (
      <Failure of={failed} text={t("bots.error.model")}>
        <Link href="/settings/ai">{t("bots.error.model.set")}</Link>
      </Failure>
    );
  const key = WORDS[failed.code];
  return <Failure of={failed} {...(key && { text: t(key) })} />;
}
