import { useRef, useState } from "react";
import { Button } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { bootstrapQuery, queryClient } from "../api/query-client.ts";
import { t } from "../text/t.ts";
import { Failure } from "./failure.tsx";
import { momentOf } from "./format.ts";
import { useCall, type AskedCall } from "./use-call.ts";
import "./page.css";

/** The version of a document that a form was filled from. */
export interface Version {
  /** Why the last save was refused: there is another version, of which `etag` is the name; null: it was not. */
  readonly other: ApiError | null;
  /**
   * Makes a call that changes the document with the version as its `ifMatch`: the form's, or the one given, over which the
   * member wants to save. Throws what the call throws.
   */
  readonly guard: <T>(
    run: (ifMatch: string | undefined) => Promise<T>,
    over?: string,
  ) => Promise<T>;
  /** Its name; undefined of a new document. */
  readonly base: () => string | undefined;
  /** The form is now as this version is. */
  readonly begin: (etag: string) => void;
  /** Nothing is written any more. */
  readonly clear: () => void;
}

/** Keeps the version that a form was filled from; `read` is that of the form as it begins, undefined of a new document. */
export function useVersion(read: string | undefined): Version {
  // What is read again later fills no form that somebody is writing in.
  const base = useRef(read);
  const [other, setOther] = useState<ApiError | null>(null);
  return {
    other,
    base: () => base.current,
    guard: async (run, over = base.current) => {
      try {
        return await run(over);
      } catch (cause) {
        if (isOther(cause)) setOther(cause);
        throw cause;
      }
    },
    begin: (etag) => {
      base.current = etag;
      setOther(null);
    },
    clear: () => setOther(null),
  };
}

/**
 * Which version a form shows: the newest, until somebody writes in it (`hold`), and the newest again once that is saved or
 * given up (`release`). `shown` is the form's key.
 */
export function useShown(newest: string): {
  readonly shown: string;
  readonly hold: () => void;
  readonly release: () => void;
} {
  const [held, setHeld] = useState<string | null>(null);
  return {
    shown: held ?? newest,
    hold: () => setHeld((before) => before ?? newest),
    release: () => setHeld(null),
  };
}

const isOther = (cause: unknown): cause is ApiError =>
  cause instanceof ApiError && cause.code === "VERSION_MISMATCH";

/** Shows the choice to a member. A function, so that it is run once for each refusal. */
function show(choice: HTMLElement | null): void {
  choice?.scrollIntoView({ block: "nearest" });
}

/** Says who saved another version of what is written here, and when, and asks which of the two stays. */
export function ChangedMeanwhile({
  version: { other },
  save,
  load,
}: {
  readonly version: Pick<Version, "other">;
  /** Saves what is written, over the version that it is given. */
  readonly save: AskedCall<readonly [over?: string]>;
  /** Shows the other version in place of what is written. */
  readonly load: () => Promise<void>;
}) {
  const loading = useCall(load);
  if (other === null) return null;
  const busy = save.busy || loading.busy;
  // Every page has read it.
  const known = queryClient.getQueryData(bootstrapQuery.queryKey);
  const { by, at, etag } = other.details[0]?.params ?? {};
  const [kind = "", id] = String(by ?? "").split(":");
  const name =
    kind === "key"
      ? t("kit.changed.program")
      : kind === "member"
        ? known?.members.find((one) => one.id === id)?.name
        : undefined;
  const moment = at === undefined ? "" : momentOf(String(at));
  return (
    <div role="alert" className="failure failure-choice" ref={show}>
      <p>
        {moment === ""
          ? t("kit.changed")
          : id === known?.member.id
            ? t("kit.changed.self", { at: moment })
            : name === undefined
              ? t("kit.changed.at", { at: moment })
              : t("kit.changed.by", { name, at: moment })}
      </p>
      <p>{t("kit.changed.text")}</p>
      <div className="failure-choices">
        <Button isDisabled={busy} onPress={() => loading.start()}>
          {t("kit.changed.load")}
        </Button>
        <Button isDisabled={busy} onPress={() => save.start(String(etag ?? "*"))}>
          {t("kit.changed.over")}
        </Button>
      </div>
      <Failure of={loading.failed} />
    </div>
  );
}
