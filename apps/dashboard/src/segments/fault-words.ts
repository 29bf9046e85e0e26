import { RULE_FAULTS, type RuleFaultCode } from "../../../server/src/segments/rule-fault-codes.ts";
import type { FaultDetail } from "../api/api-error.ts";
import { t } from "../text/t.ts";
import { RULE_OPS } from "../../../server/src/wire/words.ts";

/** What is wrong with a rule, in the reader's language; what the server has no reason for, in its own words. */
export function faultWords({ message, code, params = {} }: FaultDetail): string {
  const known = RULE_FAULTS.find((one) => code === `rule.${one}`);
  return known === undefined ? message : wordsOf(known, params);
}

function wordsOf(code: RuleFaultCode, params: NonNullable<FaultDetail["params"]>): string {
  const most = Number(params["most"] ?? 0);
  const attribute = String(params["attribute"] ?? "");
  const op = RULE_OPS.find((one) => one === params["op"]);
  const opWord = op === undefined ? String(params["op"] ?? "") : t(`segments.op.${op}`);
  switch (code) {
    case "depth":
    case "many":
    case "list":
    case "days":
    case "text":
      return t(`segments.fault.${code}`, { most });
    case "op_of_field":
      return t("segments.fault.op_of_field", { op: opWord });
    case "op_of_type":
      return t("segments.fault.op_of_type", { op: opWord, attribute });
    case "choice":
      return t("segments.fault.choice", { attribute, choices: String(params["choices"] ?? "") });
    case "type_text":
    case "type_number":
    case "type_date":
    case "type_boolean":
      return t(`segments.fault.${code}`, { attribute });
    case "shape":
    case "empty_group":
    case "unknown_field":
    case "unknown_op":
    case "no_value":
    case "size":
    case "digits":
    case "flag":
    case "one_value":
    case "missing":
    case "characters":
    case "channel":
    case "spaces":
    case "phone":
    case "time":
      return t(`segments.fault.${code}`);
  }
}
