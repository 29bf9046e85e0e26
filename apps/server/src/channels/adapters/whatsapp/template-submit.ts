import type { Http, HttpResponse } from "../../../lib/http.ts";
import type {
  ChannelAccount,
  DraftButton,
  PlatformTemplate,
  TemplateFault,
  TemplateSource,
  TemplateSubmission,
} from "../../adapter.ts";
import { placesIn } from "../../adapter.ts";
import { readGraphAnswer } from "../meta/graph-error.ts";
import { idOrNull, record, textOrNull, type JsonRecord } from "../meta/json.ts";
import { outcomeOfNoAnswer, outcomeOfWhatsAppFailure } from "./outcome.ts";

type Components = PlatformTemplate["components"];

/** The components in the platform's own form, each with the examples that a reviewer needs (channels.md §2.9). */
export function componentsOf(template: TemplateSubmission): Components {
  const { header, body, bodyExamples, footer, buttons } = template;
  const places = placesIn(body, template);
  const example = template.named
    ? { body_text_named_params: places.map((name, at) => namedExample(name, bodyExamples[at])) }
    : { body_text: [bodyExamples.slice(0, places.length)] };
  return [
    ...(header === undefined ? [] : [headerOf(header, template)]),
    { type: "BODY", text: body, ...(places.length > 0 && { example }) },
    ...(footer === undefined ? [] : [{ type: "FOOTER", text: footer }]),
    ...(buttons.length === 0 ? [] : [{ type: "BUTTONS", buttons: buttons.map(buttonOf) }]),
  ];
}

const namedExample = (name: string, example = ""): JsonRecord => ({ param_name: name, example });

function headerOf(
  header: NonNullable<TemplateSubmission["header"]>,
  { sample, named = false }: Pick<TemplateSubmission, "sample" | "named">,
): JsonRecord {
  if (header.kind !== "text")
    return {
      type: "HEADER",
      format: header.kind.toUpperCase(),
      ...(sample !== null && { example: { header_handle: [sample] } }),
    };
  const { text, example: given = "" } = header;
  const [place] = placesIn(text, { named });
  const example = named
    ? { header_text_named_params: [namedExample(place ?? "", given)] }
    : { header_text: [given] };
  return { type: "HEADER", format: "TEXT", text, ...(place !== undefined && { example }) };
}

function buttonOf(button: DraftButton): JsonRecord {
  switch (button.kind) {
    case "quick_reply":
      return { type: "QUICK_REPLY", text: button.text };
    case "url":
      return {
        type: "URL",
        text: button.text,
        url: button.url,
        ...(button.url.includes("{{1}}") && { example: [button.example ?? ""] }),
      };
    case "phone":
      return {
        type: "PHONE_NUMBER",
        text: button.text,
        phone_number: button.phone.replaceAll(/[\s()-]/g, ""),
      };
  }
}

/** `POST /{waba}/message_templates`. */
export const submitTemplate: TemplateSource["submit"] = async (http, account, template) => {
  const components = componentsOf(template);
  const { name, language, category, named = false } = template;
  const path = `${encodeURIComponent(account.settings["wabaId"] ?? "")}/message_templates`;
  const body = {
    name,
    language,
    category,
    parameter_format: named ? "NAMED" : "POSITIONAL",
    components,
  };
  const answer = await post(http, account, path, body);
  if (!answer.ok) return answer;
  const metaId = idOrNull(answer.body["id"]);
  if (metaId === null) return broken("the platform named no id for the template");
  return {
    ok: true,
    metaId,
    status: textOrNull(answer.body["status"]) ?? "PENDING",
    category: textOrNull(answer.body["category"]) ?? category,
    components,
  };
};

/** `POST /{template}`: all components anew. The category of an approved template cannot change, so it is not sent. */
export const resubmitTemplate: TemplateSource["resubmit"] = async (
  http,
  account,
  metaId,
  template,
) => {
  const components = componentsOf(template);
  const answer = await post(http, account, encodeURIComponent(metaId), { components });
  if (!answer.ok) return answer;
  return answer.body["success"] === true
    ? { ok: true, components }
    : broken("the platform did not say that it took the change");
};

/** `DELETE /{waba}/message_templates`: with its id, so that the template's other languages stay. */
export const removeTemplate: TemplateSource["remove"] = async (http, account, { metaId, name }) => {
  const waba = encodeURIComponent(account.settings["wabaId"] ?? "");
  const query = new URLSearchParams({ name, hsm_id: metaId });
  const answer = await ask(http, account, {
    method: "DELETE",
    path: `${waba}/message_templates?${query.toString()}`,
  });
  if (!answer.ok) return isMissing(answer) ? { ok: true } : answer;
  return answer.body["success"] === true
    ? { ok: true }
    : broken("the platform did not say that it deleted the template");
};

/** A template that the platform no longer has. Only its words say so: the code is that of every wrong parameter. */
const isMissing = ({ reason, detail }: TemplateFault): boolean =>
  reason === "rejected" &&
  /template.*(was|were|is) not found|template.*does not exist/i.test(detail);

const post = (http: Http, account: ChannelAccount, path: string, body: object) =>
  ask(http, account, { method: "POST", path, body });

async function ask(
  http: Http,
  account: ChannelAccount,
  {
    method,
    path,
    body,
  }: { readonly method: "POST" | "DELETE"; readonly path: string; readonly body?: object },
): Promise<{ readonly ok: true; readonly body: JsonRecord } | TemplateFault> {
  const token = account.secrets["accessToken"] ?? "";
  try {
    const response = await http.request({
      method,
      url: `${account.apiUrl}/${path}`,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (response.status !== 200) return faultOf(response, token);
    const answer = readGraphAnswer(response);
    return answer === null
      ? broken("the answer is not the Graph API's")
      : { ok: true, body: answer };
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

const broken = (detail: string): TemplateFault => ({
  ok: false,
  reason: "unknown",
  code: "BROKEN_ANSWER",
  detail,
});

/** The field that a refusal of the platform concerns, by its code or subcode. The second name of each is Meta's own. */
const FIELDS: Readonly<Record<string, string>> = {
  // Its content in this language is being deleted; a name that exists.
  2388023: "name",
  2388024: "name",
  2388047: "header",
  2388072: "body",
  2388073: "footer",
  2388293: "body",
  2388299: "body",
};

/** A refusal in the platform's own words, preferably those for people. */
function faultOf(response: HttpResponse, token: string): TemplateFault {
  const outcome = outcomeOfWhatsAppFailure(response, token);
  const error = record(readGraphAnswer(response)?.["error"]);
  const subcode = idOrNull(error["error_subcode"]);
  const words = [textOrNull(error["error_user_title"]), textOrNull(error["error_user_msg"])]
    .filter((one) => one !== null)
    .join(": ")
    .replaceAll(token, "[token]")
    .slice(0, 500)
    .toWellFormed();
  const detail = words === "" ? outcome.detail : words;
  const code = subcode?.startsWith("2388") ? subcode : outcome.code;
  const field = FIELDS[code] ?? fieldNamed(detail);
  return {
    ...outcome,
    // Whatever this code means elsewhere, a template that is refused here is no trouble of the account.
    ...(code.startsWith("2388") && { reason: "rejected" as const }),
    code,
    detail,
    ...(field !== undefined && { field }),
  };
}

/** One code refuses a length or a form of any part: the words name the part. */
function fieldNamed(detail: string): string | undefined {
  const parts = [
    ["body", /\bbody\b/i],
    ["footer", /\bfooter\b/i],
    ["buttons", /\bbuttons?\b/i],
    ["header", /\bheader\b/i],
    ["language", /\blanguage\b/i],
    ["name", /\bname\b/i],
  ] as const;
  return parts.find(([, words]) => words.test(detail))?.[0];
}
