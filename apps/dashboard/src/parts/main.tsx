import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { I18nProvider } from "react-aria-components";
import "../kit/kit.css";
import { startTheme } from "../kit/theme.ts";
import { formatLocale, locale } from "../text/locale.ts";
import { loadTexts } from "../text/t.ts";
import { PartsPage } from "./parts-page.tsx";

/*
 * `/parts.html` of `npm run dev`: every part of the kit in every state. `?lang=ar` and `?theme=dark` as on all pages. The
 * built pages do not contain it: their one entry is `index.html` (held by `http/dashboard/pages.test.ts`).
 */
async function start(): Promise<void> {
  startTheme();
  document.documentElement.lang = locale;
  document.documentElement.dir = locale === "ar" ? "rtl" : "ltr";
  await Promise.all([loadTexts("first"), loadTexts("desk"), loadTexts("rest")]);
  const root = document.querySelector("#root");
  if (root === null) throw new Error("parts.html has no #root");
  createRoot(root).render(
    <StrictMode>
      <I18nProvider locale={formatLocale}>
        <PartsPage />
      </I18nProvider>
    </StrictMode>,
  );
}

void start();
