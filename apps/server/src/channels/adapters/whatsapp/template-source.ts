import type { Http } from "../../../lib/http.ts";
import type { FailedOutcome, PlatformTemplate, TemplateSource } from "../../adapter.ts";
import { readGraphAnswer } from "../meta/graph-error.ts";
import { idOrNull, record, records, textOrNull, type JsonRecord } from "../meta/json.ts";
import { outcomeOfWhatsAppFailure, outcomeOfNoAnswer } from "./outcome.ts";
import { giveSample } from "./template-sample.ts";
import { removeTemplate, resubmitTemplate, submitTemplate } from "./template-submit.ts";

const FIELDS =
  "id,name,language,status,category,components,parameter_format,quality_score,rejected_reason";
const PAGE_SIZE = 100;
// A business may have 6,000 templates; more than 200 pages mean that we are led in circles.
const MAX_PAGES = 200;
const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/**
 * Lists all templates of the business behind a number (channels.md §2.9). `paging.next` only says that there is
 * more: it contains the access token, so it is neither followed, stored nor logged. We ask our own base address
 * again with the cursor. Half a list is never given: when a page fails, the whole fails.
 */
export const whatsappTemplates: TemplateSource = {
  giveSample,
  submit: submitTemplate,
  resubmit: resubmitTemplate,
  remove: removeTemplate,
  async list(http, account) {
    const token = account.secrets["accessToken"] ?? "";
    const templates = new Map<string, PlatformTemplate>();
    const seen = new Set<string>();
    for (let after: string | null = null, page = 1; page <= MAX_PAGES; page++) {
      const url = listUrl(account.apiUrl, account.settings["wabaId"] ?? "", after);
      const answer: Page | FailedOutcome = await getPage(http, url, token);
      if (!answer.ok) return answer;
      for (const item of records(answer.page["data"])) {
        const template = readTemplate(item);
        if (template !== null) templates.set(template.metaId, template);
      }
      const paging = record(answer.page["paging"]);
      if (textOrNull(paging["next"]) === null)
        return { ok: true, templates: [...templates.values()] };
      after = textOrNull(record(paging["cursors"])["after"]);
      if (after === null || seen.has(after)) return broken("the list has no next cursor");
      seen.add(after);
    }
    return broken(`the list does not end after ${MAX_PAGES} pages`);
  },
};

function listUrl(apiUrl: string, wabaId: string, after: string | null): string {
  const query = new URLSearchParams({ fields: FIELDS, limit: String(PAGE_SIZE) });
  if (after !== null) query.set("after", after);
  return `${apiUrl}/${encodeURIComponent(wabaId)}/message_templates?${query.toString()}`;
}

interface Page {
  readonly ok: true;
  readonly page: JsonRecord;
}

async function getPage(http: Http, url: string, token: string): Promise<Page | FailedOutcome> {
  try {
    const response = await http.request({
      method: "GET",
      url,
      headers: { authorization: `Bearer ${token}` },
      maxResponseBytes: MAX_PAGE_BYTES,
    });
    if (response.status !== 200) return outcomeOfWhatsAppFailure(response, token);
    const page = readGraphAnswer(response);
    if (page === null || !Array.isArray(page["data"]))
      return broken("the answer is no list of templates");
    return { ok: true, page };
  } catch (error) {
    return outcomeOfNoAnswer(error);
  }
}

function readTemplate(item: JsonRecord): PlatformTemplate | null {
  const metaId = idOrNull(item["id"]);
  const name = textOrNull(item["name"]);
  const language = textOrNull(item["language"]);
  const status = textOrNull(item["status"]);
  if (metaId === null || name === null || language === null || status === null) return null;
  return {
    metaId,
    name,
    language,
    status,
    category: textOrNull(item["category"]),
    components: records(item["components"]),
    parameterFormat: item["parameter_format"] === "NAMED" ? "NAMED" : "POSITIONAL",
    rejectedReason: wordOrNull(item["rejected_reason"], "NONE"),
    quality: wordOrNull(record(item["quality_score"])["score"], "UNKNOWN"),
  };
}

/** A word of the platform, or null for its word for "none". */
function wordOrNull(value: unknown, none: string): string | null {
  const word = textOrNull(value);
  return word === none ? null : word;
}

// Reading a list changes nothing at the platform, so after a broken answer it is simply read again.
const broken = (detail: string): FailedOutcome => ({
  ok: false,
  reason: "unreachable",
  code: "BROKEN_LIST",
  detail,
});
