import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { I18nProvider, RouterProvider as LinkProvider } from "react-aria-components";
import { ApiError } from "./api/api-error.ts";
import { queryClient } from "./api/query-client.ts";
import { keepFocus } from "./kit/keep-focus.ts";
import { keepPage } from "./kit/keep-page.ts";
import "./kit/kit.css";
import { router } from "./routes.tsx";
import { loadAgain } from "./shell/load-again.ts";
import { formatLocale, locale } from "./text/locale.ts";
import { loadTexts } from "./text/t.ts";
import { startTheme } from "./kit/theme.ts";

/*
 * After an upgrade the server no longer has the parts that this page would load next: the new page is loaded. The event's
 * default is not prevented: the import would then give `undefined` in place of its error.
 */
addEventListener("vite:preloadError", () => void loadAgain({ asked: false }));

/** Parts that did not come are asked for again after this time. */
const AGAIN_MS = 10_000;

async function start(): Promise<void> {
  startTheme();
  keepFocus();
  keepPage();
  document.documentElement.lang = locale;
  document.documentElement.dir = locale === "ar" ? "rtl" : "ltr";
  await loadTexts("first");
  const root = document.querySelector("#root");
  if (root === null) throw new Error("index.html has no #root");
  // What the page itself answers ("You do not have access", "Page not found") is no error of the program.
  const onCaughtError = (error: unknown) => {
    if (!(error instanceof ApiError && (error.status === 403 || error.status === 404)))
      console.error(error);
  };
  createRoot(root, { onCaughtError }).render(
    <StrictMode>
      <I18nProvider locale={formatLocale}>
        <LinkProvider navigate={(href) => void router.navigate({ href })}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </LinkProvider>
      </I18nProvider>
    </StrictMode>,
  );
}

// Without its first words the page shows what index.html says, and asks for them again.
start().catch((fault: unknown) => {
  console.error(fault);
  setInterval(() => void loadAgain({ asked: false }), AGAIN_MS);
});
