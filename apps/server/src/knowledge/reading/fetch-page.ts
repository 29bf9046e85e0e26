import type { Context } from "../../context.ts";
import { HttpFailure, type HttpResponse } from "../../lib/http.ts";
import { MAX_FILE, type FileFormat, type ReadFault } from "./formats.ts";
import { isAllowed } from "./robots.ts";

/** How we call ourselves at other people's pages. */
const AGENT = "ParleyBot/1.0 (knowledge of a help desk)";
const PAGE_MS = 20_000;
/** All of it, with robots.txt and redirects. */
const WHOLE_MS = 40_000;
const MOST_REDIRECTS = 3;
const ROBOTS_BYTES = 256 * 1024;

export type FetchedPage =
  | {
      readonly kind: "page";
      readonly bytes: Buffer;
      readonly format: FileFormat;
      readonly etag: string | null;
    }
  | { readonly kind: "unchanged" }
  | { readonly kind: "fault"; readonly fault: ReadFault };

/**
 * Reads a page of a public host, where its robots.txt lets us. `etag` is what it had when it was read last: an unchanged
 * page is not sent again.
 */
export async function fetchPage(
  { guardedHttp }: Pick<Context, "guardedHttp">,
  address: string,
  etag: string | null,
): Promise<FetchedPage> {
  const begun = performance.now();
  const get = (url: string, headers: Readonly<Record<string, string>>, maxResponseBytes: number) =>
    guardedHttp.request({
      method: "GET",
      url,
      headers: { "user-agent": AGENT, ...headers },
      timeoutMs: Math.max(1, Math.min(PAGE_MS, begun + WHOLE_MS - performance.now())),
      maxResponseBytes,
    });
  let url = address;
  try {
    for (let hops = 0; hops <= MOST_REDIRECTS; hops++) {
      const robots = await get(new URL("/robots.txt", url).href, {}, ROBOTS_BYTES);
      // Without the file everything is allowed; a server that fails at it may forbid everything (RFC 9309, 2.3.1).
      if (robots.status >= 500 || (robots.status < 300 && !isAllowed(robots.body.toString(), url)))
        return { kind: "fault", fault: "forbidden_by_robots" };
      const page = await get(
        url,
        {
          accept: "text/html, text/plain, application/pdf",
          ...(etag !== null && { "if-none-match": etag }),
        },
        MAX_FILE,
      );
      const next = page.status >= 300 && page.status < 400 ? page.headers["location"] : undefined;
      if (next === undefined) return readAnswer(page);
      url = new URL(next, url).href;
      if (!/^https?:/u.test(url)) return { kind: "fault", fault: "refused" };
    }
    return { kind: "fault", fault: "refused" };
  } catch (error) {
    if (error instanceof HttpFailure)
      return { kind: "fault", fault: error.kind === "blocked" ? "refused" : "unreachable" };
    throw error;
  }
}

function readAnswer({ status, headers, body, partial }: HttpResponse): FetchedPage {
  if (status === 304) return { kind: "unchanged" };
  if (status === 404 || status === 410) return { kind: "fault", fault: "not_found" };
  if (status >= 500 || status === 429) return { kind: "fault", fault: "unreachable" };
  if (status >= 300) return { kind: "fault", fault: "refused" };
  if (partial) return { kind: "fault", fault: "too_large" };
  const type = headers["content-type"] ?? "text/html";
  const format = /html/u.test(type)
    ? "html"
    : /pdf/u.test(type)
      ? "pdf"
      : type.startsWith("text/")
        ? "txt"
        : null;
  if (format === null) return { kind: "fault", fault: "not_text" };
  return { kind: "page", bytes: body, format, etag: headers["etag"]?.slice(0, 200) ?? null };
}
