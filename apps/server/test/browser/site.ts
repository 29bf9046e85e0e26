/** What a page of the site is like; what it gives the script tag goes into the address. */
export interface SiteOptions {
  readonly channel: string;
  readonly lang?: string;
  /** Styles that would ruin anything they reach. */
  readonly wild?: "1";
  /** Calls made before the script is there, as JSON. */
  readonly calls?: string;
  readonly color?: string;
  readonly position?: string;
  readonly locale?: string;
  readonly open?: string;
  readonly theme?: string;
}

const WILD = `div, button, textarea, ol, p { display: none !important; color: red !important; font-size: 40px !important;
  position: static !important; opacity: 0.1 !important; all: unset !important; direction: rtl !important }
h1, h2 { color: rgb(1, 2, 3) } * { letter-spacing: 9px }`;

/** A page with the strictest policy that still lets the chat work: no inline script or style, Trusted Types demanded. */
export function sitePage(
  url: string,
  chatOrigin: string,
): { headers: Record<string, string>; body: string } {
  const { pathname, searchParams } = new URL(url, "http://site");
  if (pathname === "/wild.css") return { headers: { "content-type": "text/css" }, body: WILD };
  if (pathname === "/calls.js")
    return {
      headers: { "content-type": "text/javascript" },
      body: `window.before = Object.keys(window); window.Parley = ${searchParams.get("calls") ?? "[]"};`,
    };
  if (pathname !== "/") return { headers: {}, body: "" };
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${chatOrigin}`,
    `connect-src ${chatOrigin}`,
    `img-src ${chatOrigin} blob:`,
    ...(searchParams.has("wild") ? ["style-src 'self'"] : []),
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join("; ");
  const attribute = (text: string) =>
    text.replaceAll(/[&<>"]/g, (char) => `&#${char.charCodeAt(0)};`);
  const tag = ["channel", "color", "position", "locale", "open", "theme"]
    .filter((name) => searchParams.has(name))
    .map((name) => `data-${name}="${attribute(searchParams.get(name) ?? "")}"`)
    .join(" ");
  const calls = searchParams.get("calls");
  const lang = attribute(searchParams.get("lang") ?? "en");
  return {
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
    },
    body: `<!doctype html>
<html lang="${lang}" dir="${lang === "ar" ? "rtl" : "ltr"}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Desert Rose</title>
${searchParams.has("wild") ? '<link rel="stylesheet" href="/wild.css">' : ""}
<h1>Desert Rose</h1>
<a href="#first">First link of the page</a>
${calls === null ? "" : `<script src="/calls.js?${attribute(String(new URLSearchParams({ calls })))}"></script>`}
<script src="${chatOrigin}/chat/widget.js" ${tag} async></script>
</html>`,
  };
}
