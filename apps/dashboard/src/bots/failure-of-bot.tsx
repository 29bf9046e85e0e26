import { Link } from "react-aria-components";
import type { ApiError } from "../api/api-error.ts";
import { Failure } from "../kit/failure.tsx";
import { t, type PlainKey } from "../text/t.ts";
import { faultPlace, faultText, isFaultCode } from "./fault-words.ts";

const WORDS: Readonly<Record<string, PlainKey>> = {
  NOT_ALLOWED_IN_STATE: "bots.error.state",
  BOT_LIMIT_REACHED: "bots.error.limit",
  BOT_NOT_PUBLISHABLE: "bots.error.faults",
  CASES_FAIL: "bots.error.cases",
  VALIDATION_FAILED: "bots.error.document",
};

/** Why a model is not asked, by the server's code. */
const UNFIT: Readonly<Record<string, PlainKey>> = {
  no_model: "cases.error.no_model",
  cost_cap: "cases.error.cost_cap",
  no_cases: "cases.error.no_cases",
  too_many_cases: "cases.error.too_many_cases",
  too_many_runs: "cases.error.too_many_runs",
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
  const code = failed.code === "NOT_ALLOWED_IN_STATE" ? failed.details[0]?.code : undefined;
  const words = code === undefined ? undefined : UNFIT[code];
  if (words !== undefined)
    return (
      <Failure of={failed} text={t(words)}>
        {code === "no_model" && <Link href="/settings/ai">{t("bots.error.model.set")}</Link>}
      </Failure>
    );
  if (asked && failed.code === "NOT_ALLOWED_IN_STATE")
    return (
      <Failure of={failed} text={t("bots.error.model")}>
        <Link href="/settings/ai">{t("bots.error.model.set")}</Link>
      </Failure>
    );
  if (failed.code === "BOT_NOT_PUBLISHABLE" || failed.code === "VALIDATION_FAILED")
    return <Refused of={failed} />;
  const key = WORDS[failed.code];
  return <Failure of={failed} {...(key && { text: t(key) })} />;
}

/** Why a document was refused, fault by fault. The server's sentences are English: its codes choose ours. */
function Refused({ of: failed }: { readonly of: ApiError }) {
  const key = WORDS[failed.code];
  return (
    <div role="alert" className="failure">
      {key && <p>{t(key)}</p>}
      {failed.details.length > 0 && (
        <ul>
          {failed.details.map(({ path, code, params }) => {
            const at = path.replace(/^(?:body\.)?document\.?/u, "");
            const [, step = null] = /^steps\.([^.]+)/u.exec(at) ?? [];
            const place = faultPlace({ path: at, step });
            return (
              <li key={`${path} ${code ?? ""}`}>
                {place ?? <bdi dir="ltr">{at}</bdi>}
                {code !== undefined && isFaultCode(code) && (
                  <>: {faultText({ code, ...(params && { values: params }) })}</>
                )}
              </li>
            );
          })}
        </ul>
      )}
      {failed.requestId !== null && <small>{t("kit.requestId", { id: failed.requestId })}</small>}
    </div>
  );
}
