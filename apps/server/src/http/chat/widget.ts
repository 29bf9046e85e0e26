import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { findChatChannel } from "../../chat/chat-channel.ts";
import { INSTALLATION } from "../../config.ts";
import type { Context } from "../../context.ts";
import { preferredLanguage } from "../../lib/language.ts";

const FILE = path.join(INSTALLATION, "packages/widget/dist/widget.js");

interface Script {
  readonly text: Buffer;
  readonly etag: string;
  readonly changedMs: number;
}

/** `/chat/widget.js` and `/chat/try/{channelId}`, the page on which the widget can be seen. */
export function registerWidget(fastify: FastifyInstance, context: Context): void {
  let script: Script | undefined;
  const load = async (): Promise<Script | null> => {
    const found = await stat(FILE).catch(() => null);
    if (found === null) return null;
    if (script?.changedMs !== found.mtimeMs) {
      const text = await readFile(FILE);
      const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 27)}"`;
      script = { text, etag, changedMs: found.mtimeMs };
    }
    return script;
  };

  fastify.get("/chat/widget.js", async (request, reply) => {
    const found = await load();
    if (found === null)
      return reply
        .code(404)
        .type("text/plain; charset=utf-8")
        .send("The widget is not built: run `npm run widget`.\n");
    reply.headers({
      etag: found.etag,
      // Asked again after five minutes, so that a new version is with every page soon; a 304 costs nothing.
      "cache-control": "public, max-age=300, stale-while-revalidate=86400",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
    });
    const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim());
    if (known.some((one) => one === "*" || one.replace(/^W\//, "") === found.etag))
      return reply.code(304).send();
    return reply.type("text/javascript; charset=utf-8").send(found.text);
  });

  fastify.get<{ Params: { channelId: string } }>("/chat/try/:channelId", async (request, reply) => {
    const account = await findChatChannel(context, request.params.channelId);
    const [, asked] = /[?&]lang=(ar|en)\b/.exec(request.url) ?? [];
    const arabic = preferredLanguage(asked ?? request.headers["accept-language"]) === "ar";
    return reply
      .headers({
        // As strict as a site's own may be: the widget must do with it.
        "content-security-policy":
          "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer",
        "content-language": arabic ? "ar" : "en",
        vary: "accept-language",
        "cache-control": "no-store",
      })
      .type("text/html; charset=utf-8")
      .send(page(account.channelId, account.name, arabic));
  });
}

function page(channelId: string, name: string, arabic: boolean): string {
  const safe = name.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
  const [lang, title, words] = arabic
    ? ["ar", "تجربة:", "هذه صفحة لتجربة نافذة المحادثة. الزر في زاوية الصفحة."]
    : ["en", "Try:", "A page to try the chat window on. Its button is in the corner."];
  return `<!doctype html>
<html lang="${lang}" dir="${arabic ? "rtl" : "ltr"}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title} ${safe}</title>
<link rel="stylesheet" href="../../pages/home.css">
<main>
<h1>${title} <bdi>${safe}</bdi></h1>
<p>${words}</p>
</main>
<script src="../widget.js" data-channel="${channelId}" data-locale="${lang}" async></script>
</html>
`;
}
