import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { call, type AnswerOf, type InputOf } from "../api/call.ts";
import { useMay } from "../kit/use-may.ts";
import { locale } from "../text/locale.ts";
import type { BotDocument } from "./bots-query.ts";

export type Preview = AnswerOf<"previewBot">;
export type PreviewLine = Preview["lines"][number];
type Said = InputOf<"previewBot">["body"]["said"][number];
export type CustomerLanguage = "en" | "ar";

/** How long typing must pause before the server is asked again. */
const REST_MS = 350;
/** As many turns as the server takes. */
const MOST_SAID = 100;

/** A talk with what is written of a flow, saved or not. */
export interface Trying {
  /** Null: the member may not try it, or the first answer is not there yet. */
  readonly preview: Preview | null;
  readonly failed: Error | null;
  readonly language: CustomerLanguage;
  readonly speak: (language: CustomerLanguage) => void;
  readonly say: (said: Said) => void;
  readonly startOver: () => void;
  /** The talk is as long as the server takes. */
  readonly isFull: boolean;
}

/** Tries a flow as a customer would: the same turns again after each change of it. */
export function usePreview(id: string, document: BotDocument): Trying {
  const may = useMay("previewBot");
  const [said, setSaid] = useState<readonly Said[]>([]);
  const [language, setLanguage] = useState<CustomerLanguage>(locale);
  const written = JSON.stringify(document);
  const rested = useRested(written);
  const { data, error } = useQuery({
    queryKey: ["bot-preview", id, rested, said, language],
    queryFn: ({ signal }) =>
      call("previewBot", {
        params: { id },
        body: { document: JSON.parse(rested), said: [...said], language },
        signal,
      }),
    enabled: may,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 60_000,
  });
  return {
    preview: data ?? null,
    failed: error,
    language,
    speak: (next) => {
      setLanguage(next);
      setSaid([]);
    },
    say: (one) => setSaid((before) => [...before, one].slice(0, MOST_SAID)),
    startOver: () => setSaid([]),
    isFull: said.length >= MOST_SAID,
  };
}

function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
