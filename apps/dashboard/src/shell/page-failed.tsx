import { useEffect, useEffectEvent } from "react";
import type { Query } from "@tanstack/react-query";
import type { ErrorComponentProps } from "@tanstack/react-router";
import { ApiError } from "../api/api-error.ts";
import { queryClient } from "../api/query-client.ts";
import { failureText } from "../kit/use-call.ts";
import { MissingPart } from "../text/missing-part.ts";
import { t } from "../text/t.ts";
import { loadAgain } from "./load-again.ts";

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
  const missing = error instanceof MissingPart;
  const passing = missing || (error instanceof ApiError && error.passing);
  const retry = (asked: boolean): void => {
    // A page does not ask twice for a part of the program: it is loaded whole.
    if (missing) return void loadAgain({ asked });
    // Otherwise the page fails again with the errors that it has.
    queryClient.removeQueries({ predicate: hasFailed });
    reset();
  };
  const retryLatest = useEffectEvent(() => retry(false));
  useEffect(() => {
    if (!passing) return undefined;
    const timer = setInterval(() => retryLatest(), AGAIN_MS);
    return () => clearInterval(timer);
  }, [passing]);
  const title = refused ? t("shell.noAccess") : t("kit.error");
  return (
    <main id="main" className="state-page">
      <title>{`${title} · Parley`}</title>
      <h1>{title}</h1>
      <p>{refused ? whoMay(error) : wordsOf(error)}</p>
      {refused ? (
        <a className="button" href="/">
          {t("shell.home")}
        </a>
      ) : (
        <button type="button" className="button" onClick={() => retry(true)}>
          {t("kit.retry")}
        </button>
      )}
    </main>
  );
}

function wordsOf(error: unknown): string {
  if (error instanceof MissingPart) return t("kit.error.connection");
  return error instanceof ApiError && error.passing ? failureText(error) : t("kit.error.internal");
}

const hasFailed = ({ state }: Query): boolean => state.error !== null && state.data === undefined;

/** Who opens the page: the owner alone, or admins too. */
const whoMay = ({ roles }: ApiError): string =>
  t(roles.length > 0 && !roles.includes("admin") ? "shell.noAccess.owner" : "shell.noAccess.text");
