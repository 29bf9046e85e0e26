import { useState } from "react";
import type { ApiError } from "../api/api-error.ts";

type Faults = Readonly<Record<string, string>>;

/**
 * The faults of a form by the names of its fields: those of the last refusal, each until its field is changed. If
 * a fault were removed when the field is left, the button would move away from under the pointer.
 */
export function useFaults(failed: ApiError | null, read: (error: ApiError | null) => Faults) {
  const [seen, setSeen] = useState<ApiError | null>(null);
  const [faults, setFaults] = useState<Faults>({});
  if (seen !== failed) {
    setSeen(failed);
    setFaults(read(failed));
  }
  return {
    faults,
    setFaults,
    mended: (name: string) =>
      setFaults((now) => Object.fromEntries(Object.entries(now).filter(([one]) => one !== name))),
  };
}
