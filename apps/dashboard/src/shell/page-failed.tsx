import { useEffect, useEffectEvent } from "react";
import type { Query } from "@tanstack/react-query";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { queryClient } from "../api/query-client.ts";
import { failureText } from "../kit/use-call.ts";
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

/** A server that was not reached is asked again after this time, in ms: it may have been restarted. */
const AGAIN_MS = 10_000;

/** Shown for a page that the role may not open, or that could not be loaded. */
export function PageFailed(props: ErrorComponentProps) {
  const { error } = props;
  return error instanceof ApiError && error.status === 404 ? <NotFound /> : <Failed {...props} />;
}

function Failed({ error, reset }: ErrorComponentProps) {
  const refused = error instanceof ApiError && error.status === 403;
  const passing = error instanceof ApiError && error.passing;
  const retry = (): void => {
    // Otherwise the page fails again with the errors that it has.
    queryClient.removeQueries({ predicate: hasFailed });
    reset();
  };
  const retryLatest = useEffectEvent(retry);
  useEffect(() => {
    if (!passing) return undefined;
    const timer = setTimeout(() => retryLatest(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [passing]);
  const title = refused ? t("shell.noAccess") : t("kit.error");
  return (
    <main id="main" className="state-page">
      <title>{`${title} · Parley`}</title>
      <h1>{title}</h1>
      <p>{refused ? whoMay(error) : passing ? failureText(error) : t("kit.error.internal")}</p>
      {refused ? (
        <a className="button" href="/">
          {t("shell.home")}
        </a>
      ) : (
        <button type="button" className="button" onClick={retry}>
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
