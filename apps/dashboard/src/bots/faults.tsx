import { t } from "../text/t.ts";
import type { BotDocument, BotFault } from "./bots-query.ts";
import { faultPlace, faultText } from "./fault-words.ts";
import { stepsOf } from "./flow-steps.ts";
import { nameAt } from "./step-words.ts";

/** Why a draft cannot be published: each fault with where it is. */
export function FaultList({
  faults,
  document = {},
}: {
  readonly faults: readonly BotFault[];
  /** The flow whose steps are named. */
  readonly document?: BotDocument;
}) {
  const steps = stepsOf(document);
  return (
    <ul className="bots-faults" aria-label={t("bots.faults")}>
      {faults.map((fault) => {
        const { path, step, code } = fault;
        const place = faultPlace(fault);
        return (
          <li key={`${step ?? ""} ${path} ${code} ${JSON.stringify(fault.values ?? "")}`}>
            <strong>
              {step !== null && <bdi>{nameAt(steps, step)}</bdi>}
              {step !== null && place !== null && " · "}
              {place ?? (step === null && <bdi dir="ltr">{path}</bdi>)}
            </strong>
            <span>{faultText(fault)}</span>
          </li>
        );
      })}
    </ul>
  );
}
