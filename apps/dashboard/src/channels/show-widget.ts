export type Language = "en" | "ar";
export type Theme = "light" | "dark";

/** The look of a window. An empty text means the widget's own. */
export interface Look {
  readonly title: string;
  /** Its address, or the picture itself while it is not saved. */
  readonly logo: string;
  readonly ask: "" | "name" | "email" | "name email";
  readonly askWhen: "" | "before" | "after";
  readonly color: string;
  readonly greeting: string;
  readonly position: "" | "left" | "right";
  readonly locale: "" | "en" | "ar" | "auto";
  readonly maxFileBytes: string;
}

export interface Drawn {
  readonly look: Look;
  readonly language: Language;
  readonly theme: Theme;
  readonly open: boolean;
}

/** A sketched page of the site: only the window matters. */
const SKETCH = `
  body { margin: 0; padding: 28px; display: grid; gap: 14px; align-content: start; }
  i { display: block; block-size: 12px; border-radius: 6px; background: currentcolor; opacity: 0.1; }
  i:first-child { inline-size: 42%; block-size: 22px; }
  i:nth-child(3) { inline-size: 88%; }
  i:nth-child(4) { inline-size: 62%; }
  body[data-theme="dark"] { color: #fff; }
`;

/**
 * Loads the widget's own script into an empty page inside a frame. Its calls are answered here with the form's
 * settings, so nothing is sent, stored or counted.
 */
export function showWidget(frame: HTMLIFrameElement, drawn: Drawn): void {
  const page = frame.contentDocument;
  const contentWindow = page?.defaultView;
  if (!page || !contentWindow) return;
  const { look, language, theme, open } = drawn;
  Object.defineProperty(contentWindow, "fetch", { value: answering(drawn) });
  // What the widget stores of its visitor stays in memory, because this is the dashboard's own origin.
  for (const name of ["localStorage", "sessionStorage"])
    Object.defineProperty(contentWindow, name, { value: null });
  page.body.dataset["theme"] = theme;
  for (let line = 0; line < 4; line++) page.body.append(page.createElement("i"));
  const sheet = new contentWindow.CSSStyleSheet();
  sheet.replaceSync(SKETCH);
  page.adoptedStyleSheets = [sheet];
  const script = page.createElement("script");
  script.src = new URL("/chat/widget.js", location.href).href;
  script.dataset["channel"] = "preview";
  script.dataset["theme"] = theme;
  script.dataset["locale"] = look.locale === "en" || look.locale === "ar" ? look.locale : language;
  if (look.color !== "") script.dataset["color"] = look.color;
  if (look.position !== "") script.dataset["position"] = look.position;
  if (open) script.dataset["open"] = "true";
  page.body.append(script);
}

/** The server's answers to a new visitor. */
function answering({ look }: Drawn) {
  const session = {
    token: "preview",
    verified: false,
    cursor: "0",
    messages: [],
    earlier: false,
    unread: 0,
    asks: look.ask === "" ? [] : look.ask.split(" "),
    settings: {
      name: look.title.trim(),
      logo: look.logo === "" ? null : look.logo,
      askWhen: look.askWhen === "before" ? "before" : "after",
      greeting: look.greeting.trim() === "" ? null : look.greeting,
      color: look.color === "" ? null : look.color,
      position: look.position === "" ? null : look.position,
      locale: look.locale === "" ? null : look.locale,
      maxFileBytes: Number(look.maxFileBytes) || 10 * 1024 * 1024,
      fileTypes: [],
    },
  };
  return async (address: string, given: { readonly body?: string } = {}): Promise<Response> => {
    const { pathname } = new URL(address, location.href);
    if (pathname.endsWith("/session")) return Response.json(session);
    // A stream that stays silent.
    if (pathname.endsWith("/stream")) return new Response(new ReadableStream());
    if (!pathname.endsWith("/messages")) return Response.json(null);
    const { clientId, text } = JSON.parse(given.body ?? "{}") as {
      readonly clientId?: string;
      readonly text?: string;
    };
    const at = new Date().toISOString();
    return Response.json({
      id: at,
      clientId: clientId ?? null,
      from: "visitor",
      text: text ?? null,
      attachments: [],
      status: "sent",
      createdAt: at,
    });
  };
}
