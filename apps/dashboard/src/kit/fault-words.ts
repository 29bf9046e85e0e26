import { t } from "../text/t.ts";
import { FAULTS } from "./fault-keys.ts";

/** Why a message failed. A code that is not known is named, so that the platform's own words can be looked up with it. */
export function faultWord(code: string): string {
  const key = FAULTS[code];
  return key ? t(key) : t("fault.other", { code });
}
