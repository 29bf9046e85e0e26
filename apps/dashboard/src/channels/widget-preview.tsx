import { useEffect, useState } from "react";
import { Choice, Toggle } from "../kit/fields.tsx";
import { Part } from "../kit/page.tsx";
import { locale } from "../text/locale.ts";
import { t } from "../text/t.ts";
import { showWidget, type Language, type Look, type Theme } from "./show-widget.ts";

/** How long after the last change of a text the window is drawn anew. */
const REST_MS = 250;

/** The real window, as a page of the site shows it, in either language and theme. It calls nobody. */
export function WidgetPreview({ look }: { readonly look: Look }) {
  const [language, setLanguage] = useState<Language>(locale);
  const [theme, setTheme] = useState<Theme>("light");
  const [open, setOpen] = useState(true);
  const [shown, setShown] = useState(look);
  useEffect(() => {
    const timer = setTimeout(() => setShown(look), REST_MS);
    return () => clearTimeout(timer);
  }, [look]);
  const drawn = { look: shown, language, theme, open };
  return (
    <Part title={t("channels.web.preview")}>
      <div className="widget-preview-choice">
        <Choice
          label={t("channels.web.preview.language")}
          value={language}
          change={setLanguage}
          options={[
            { value: "en", name: "English" },
            { value: "ar", name: "العربية" },
          ]}
        />
        <Choice
          label={t("channels.web.preview.theme")}
          value={theme}
          change={setTheme}
          options={[
            { value: "light", name: t("channels.web.light") },
            { value: "dark", name: t("channels.web.dark") },
          ]}
        />
        <Toggle label={t("channels.web.open")} on={open} change={setOpen} />
      </div>
      {/* A page holds the widget once, so another look is another page. */}
      <div className="widget-preview" data-theme={theme}>
        <iframe
          key={JSON.stringify(drawn)}
          title={t("channels.web.preview")}
          srcDoc={`<!doctype html><html lang="${language}" dir="${language === "ar" ? "rtl" : "ltr"}"><body></body></html>`}
          onLoad={({ currentTarget }) => showWidget(currentTarget, drawn)}
        />
      </div>
      <p className="hint">{t("channels.web.preview.text")}</p>
    </Part>
  );
}
