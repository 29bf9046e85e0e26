import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import path from "node:path";
import type { FastifyInstance } from "fastify";
import { findChatChannel } from "../../chat/chat-channel.ts";
import { findLogo } from "../../channels/find-logo.ts";
import { INSTALLATION } from "../../config.ts";
import type { Context } from "../../context.ts";
import { pageLanguage, type PageLanguage } from "../../lib/language.ts";

const FILE = path.join(INSTALLATION, "packages/widget/dist/widget.js");

interface Script {
  readonly text: Buffer;
  readonly etag: string;
  readonly changedMs: number;
}

/** `/chat/widget.js`, `/chat/logo/…` and `/chat/try/{channelId}`, the page on which the widget can be seen. */
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
      // Browsers ask again after five minutes, so that every page soon has a new version; a 304 costs nothing.
      "cache-control": "public, max-age=300, stale-while-revalidate=86400",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
    });
    const known = (request.headers["if-none-match"] ?? "").split(",").map((one) => one.trim());
    if (known.some((one) => one === "*" || one.replace(/^W\//, "") === found.etag))
      return reply.code(304).send();
    return reply.type("text/javascript; charset=utf-8").send(found.text);
  });

  fastify.get<{ Params: { channelId: string; digest: string } }>(
    "/chat/logo/:channelId/:digest",
    async (request, reply) => {
      const { channelId, digest } = request.params;
      const logo = await findLogo(context, await findChatChannel(context, channelId), digest);
      return reply
        .headers({
          // The address names the bytes, so they never change there.
          "cache-control": "public, max-age=31536000, immutable",
          "cross-origin-resource-policy": "cross-origin",
          "access-control-allow-origin": "*",
          "content-security-policy": "default-src 'none'; sandbox",
          "x-content-type-options": "nosniff",
        })
        .type(logo.mimeType)
        .send(logo.bytes);
    },
  );

  fastify.get<{ Params: { channelId: string } }>("/chat/try/:channelId", async (request, reply) => {
    const account = await findChatChannel(context, request.params.channelId);
    const { language } = pageLanguage(request.url, request.headers["accept-language"]);
    return reply
      .headers({
        // As strict as a site's own policy may be: the widget must work with it.
        "content-security-policy":
          "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self' data: blob:; media-src 'self' blob:; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "referrer-policy": "no-referrer",
        "content-language": language,
        vary: "accept-language",
        "cache-control": "no-store",
      })
      .type("text/html; charset=utf-8")
      .send(page(account, language, context.config.publicUrl));
  });
}

/** The words of the try page, which anybody may open: the channel's name, which is for the team, is not on it. */
const WORDS = {
  en: {
    dir: "ltr",
    other: `<a href="?lang=ar" lang="ar" hreflang="ar" dir="rtl">العربية</a>`,
    title: "Try the chat",
    how: "This is how visitors of your site see the chat. Press the button in the corner and write a message.",
    own: "On your own site",
    paste: "Paste this before <code>&lt;/body&gt;</code>:",
    sample: "Script tag",
  },
  ar: {
    dir: "rtl",
    other: `<a href="?lang=en" lang="en" hreflang="en" dir="ltr">English</a>`,
    title: "تجربة المحادثة",
    how: "هكذا يرى زوّار موقعك المحادثة. اضغط الزر في زاوية الصفحة واكتب رسالة.",
    own: "في موقعك",
    paste: `ضع هذا السطر قبل <code dir="ltr">&lt;/body&gt;</code>:`,
    sample: "وسم السكربت",
  },
} as const satisfies Record<PageLanguage, Record<string, string>>;

function page(
  { channelId }: { readonly channelId: string },
  language: PageLanguage,
  publicUrl: string,
): string {
  const words = WORDS[language];
  const tag = escape(
    `<script src="${publicUrl}/chat/widget.js" data-channel="${channelId}" async></script>`,
  );
  return `<!doctype html>
<html lang="${language}" dir="${words.dir}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${words.title}</title>
<link rel="stylesheet" href="../../pages/home.css">
</head>
<body class="try">
<header><span class="brand">Parley</span><nav>${words.other}</nav></header>
<main>
<h1>${words.title}</h1>
<p>${words.how}</p>
<section aria-labelledby="own">
<h2 id="own">${words.own}</h2>
<p>${words.paste}</p>
<pre tabindex="0" aria-label="${words.sample}"><code>${tag}</code></pre>
</section>
</main>
<script src="../widget.js" data-channel="${channelId}" data-locale="${language}" async></script>
</body>
</html>
`;
}

const escape = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
