import { AppError, invalid, type FaultDetail } from "../../errors.ts";
import type { TemplateParts } from "../text/check-template.ts";
import type { NewBroadcast } from "../record/create-broadcast.ts";
import type { Variant } from "./split.ts";

/** One text of an A/B campaign, as the caller gives it. */
export type NewVariant = Pick<
  NewBroadcast,
  "body" | "templateId" | "variables" | "header" | "buttons"
> & {
  readonly name: string;
  readonly share: number;
};

const VARIANTS_MAX = 10;
const NAME_MAX = 50;
/** Tolerance for shares like 0.333 + 0.333 + 0.334 in floating point. */
const ROUNDING = 1e-9;
const PART_NAMES = ["body", "templateId", "variables", "header", "buttons"] as const;

/**
 * The input as its first variant alone, which the campaign shows where there is room for only one text (the API's
 * answers); the input itself when it has no variants. Faults of the split as a whole are `VALIDATION_FAILED`.
 */
export function firstArm(input: NewBroadcast): NewBroadcast {
  const { variants, holdoutShare = 0 } = input;
  const details: FaultDetail[] = [];
  const refuse = (path: string, message: string) => details.push({ path, message });
  if (variants === undefined) {
    if (holdoutShare !== 0) throw invalid("holdoutShare", "is for campaigns with variants");
    return input;
  }
  if (variants.length < 2 || variants.length > VARIANTS_MAX)
    refuse("variants", `must be 2 to ${VARIANTS_MAX}`);
  for (const part of PART_NAMES)
    if (Object.keys(input[part] ?? {}).length > 0)
      refuse(part, "must be left out: each variant has its own");
  if (!(holdoutShare >= 0 && holdoutShare < 1)) refuse("holdoutShare", "must be from 0 to under 1");
  const names = new Set<string>();
  for (const [place, { name, share }] of variants.entries()) {
    const at = `variants[${place}]`;
    const key = name.trim().toLowerCase();
    if (key === "" || name.trim().length > NAME_MAX)
      refuse(`${at}.name`, `must have 1 to ${NAME_MAX} characters`);
    if (names.has(key)) refuse(`${at}.name`, "must be another one than the others'");
    names.add(key);
    if (!(share > 0 && share <= 1)) refuse(`${at}.share`, "must be above 0 and at most 1");
  }
  const sum = variants.reduce((total, one) => total + one.share, holdoutShare);
  if (details.length === 0 && !(Math.abs(sum - 1) <= ROUNDING))
    refuse("variants", `the shares and the hold-out must make 1, not ${Number(sum.toFixed(6))}`);
  const [first] = variants;
  if (details.length > 0 || !first) throw new AppError("VALIDATION_FAILED", { details });
  return armInput(input, first);
}

/** Checks every variant as a campaign of its own. Faults have the variant before their name: `variants[1].body`. */
export async function checkVariants(
  input: NewBroadcast,
  check: (arm: NewBroadcast) => Promise<TemplateParts>,
): Promise<Variant[]> {
  const checked: Variant[] = [];
  const details: FaultDetail[] = [];
  for (const [place, variant] of (input.variants ?? []).entries()) {
    try {
      checked.push({
        name: variant.name.trim(),
        share: variant.share,
        body: variant.body ?? null,
        templateId: variant.templateId ?? null,
        ...(await check(armInput(input, variant))),
      });
    } catch (error) {
      const faults = error instanceof AppError ? error.facts.details : undefined;
      if (faults === undefined) throw error;
      for (const { path, message } of faults)
        details.push({ path: `variants[${place}].${path}`, message });
    }
  }
  if (details.length > 0) throw new AppError("VALIDATION_FAILED", { details });
  return checked;
}

function armInput(input: NewBroadcast, variant: NewVariant): NewBroadcast {
  const { variants: _, holdoutShare: __, ...rest } = input;
  const { name: ___, share: ____, ...parts } = variant;
  return { ...rest, ...parts };
}
