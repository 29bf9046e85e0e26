import type { Query } from "@tanstack/react-query";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { queryClient } from "../api/query-client.ts";
import { t } from "../text/t.ts";

/** Shown at an address without a page. */
export function NotFound() {
  return (
    <main id="main" className="state-page">
      <title>{`${t("shell.notFound")} · Parley`}</title>
      <h1>{t("shell.notFound")}</h1>
      <p>{t("shell.notFound.text")}</p>
      <a className="button" href="/">
        {t("shell.home")}
      </a>
    </main>
  );
}

/** Shown for a page that the role may not open, or that could not be loaded. */
export function PageFailed({ error, reset }: ErrorComponentProps) {
  if (error instanceof ApiError && error.status === 404) return <NotFound />;
  const refused = error instanceof ApiError && error.status === 403;
  const title = refused ? t("shell.noAccess") : t("kit.error");
  return (
    <main id="main" className="state-page">
      <title>{`${title} · Parley`}</title>
      <h1>{title}</h1>
      <p>{refused ? whoMay(error) : t("kit.error.internal")}</p>
      {refused ? (
        <a className="button" href="/">
          {t("shell.home")}
        </a>
      ) : (
        <button
          type="button"
          className="button"
          onClick={() => {
            // Otherwise the page fails again with the errors that it has.
            queryClient.removeQueries({ predicate: hasFailed });
            reset();
          }}
        >
          {t("kit.retry")}
        </button>
      )}
    </main>
  );
}

const hasFailed = ({ state }: Query): boolean => state.error !== null && state.data === undefined;

/** Who opens the page: the owner alone, or admins too. */
const whoMay = ({ roles }: ApiError): string =>
  t(roles.length > 0 && !roles.includes("admin") ? "shell.noAccess.owner" : "shell.noAccess.text");
