import type {
  FailedOutcome,
  SendOutcome,
  TemplateButton,
  TemplateContent,
  TemplateHeader,
} from "../../adapter.ts";
import { TEMPLATE_PART_LIMITS } from "../../adapter.ts";

/** The `template` member of a send: components in the platform's own form (channels.md §2.2). */
export function templateBody(template: TemplateContent): object {
  const { name, language, bodyParameters, bodyParameterNames, header, buttons = [] } = template;
  const body = bodyParameters.map((text, index) =>
    textParameter(text, bodyParameterNames?.[index]),
  );
  const components = [
    ...(header ? [{ type: "header", parameters: [headerParameter(header)] }] : []),
    ...(body.length > 0 ? [{ type: "body", parameters: body }] : []),
    ...buttons.map(buttonComponent),
  ];
  return {
    name,
    language: { code: language, policy: "deterministic" },
    ...(components.length > 0 && { components }),
  };
}

function textParameter(text: string, name: string | undefined): object {
  return name === undefined ? { type: "text", text } : { type: "text", parameter_name: name, text };
}

function headerParameter(header: TemplateHeader): object {
  if (header.kind === "text") return textParameter(header.text, header.name);
  const { kind, id, fileName } = header;
  return { type: kind, [kind]: { id, ...(kind === "document" && { filename: fileName }) } };
}

function buttonComponent({ index, kind, text }: TemplateButton): object {
  const parameter = {
    url: { type: "text", text },
    quick_reply: { type: "payload", payload: text },
    copy_code: { type: "coupon_code", coupon_code: text },
  }[kind];
  return { type: "button", sub_type: kind, index: String(index), parameters: [parameter] };
}

/**
 * The reasons for which the platform would refuse a template, without a call. Texts are checked here because the
 * platform may blame the template for them (132007), which would stop a campaign for one contact's attribute.
 */
export function checkTemplate(template: TemplateContent): FailedOutcome | null {
  const refuse = (
    code: string,
    detail: string,
    scope: "recipient" | "template" = "recipient",
  ): FailedOutcome => ({ ok: false, reason: "rejected", code, detail, scope });
  const missing = template.unmetParameters ?? [];
  if (missing.length > 0) {
    const detail = `the template needs parameters that were not given: ${missing.join(", ")}`;
    return refuse("TEMPLATE_PARAMETERS_MISSING", detail, "template");
  }
  const { header, buttons = [] } = template;
  const texts: { name: string; text: string; most?: number }[] = [
    ...template.bodyParameters.map((text, index) => ({ name: `parameter ${index + 1}`, text })),
    ...(header?.kind === "text"
      ? [{ name: "header.text", text: header.text, most: TEMPLATE_PART_LIMITS.header }]
      : []),
    ...buttons.map(({ index, kind, text }) => ({
      name: `buttons[${index}]`,
      text,
      most: TEMPLATE_PART_LIMITS[kind],
    })),
  ];
  for (const { name, text, most } of texts) {
    if (/[\n\r\t]| {5}/.test(text)) {
      const detail = `${name} has a line break, a tab or more than four spaces in a row`;
      return refuse("TEMPLATE_PARAMETER_INVALID", detail);
    }
    if (most !== undefined && text.length > most)
      return refuse("TEMPLATE_PARAMETER_INVALID", `${name} has more than ${most} characters`);
  }
  return null;
}

/** How the platform names a header's missing file: by its id (100), or as a header without a file (132012). */
const NO_SUCH_FILE = /media attachment ID|received UNKNOWN/i;

/** A refusal of the header's file is not the recipient's fault: the file must be uploaded again (`MEDIA_GONE`). */
export function judgeTemplateSend(template: TemplateContent, outcome: SendOutcome): SendOutcome {
  if (outcome.ok || outcome.reason !== "rejected") return outcome;
  if (template.header === undefined || template.header.kind === "text") return outcome;
  if (!["100", "132012", "131052", "131053"].includes(outcome.code)) return outcome;
  if (!NO_SUCH_FILE.test(outcome.detail)) return outcome;
  return { ...outcome, code: "MEDIA_GONE", scope: "template" };
}
