import { call, type AnswerOf, type InputOf } from "./call.ts";
import { keepAnswer } from "./keep-answer.ts";
import { bootstrapQuery, queryClient } from "./query-client.ts";

export type SettingsChanges = NonNullable<InputOf<"saveSettings">["body"]>;

/** Keeps choices with the member: the next page, and every other device, shows them. */
export async function saveSettings(changes: SettingsChanges): Promise<void> {
  const settings = await call("saveSettings", { body: changes });
  keepAnswer<AnswerOf<"bootstrap">>(
    queryClient,
    bootstrapQuery.queryKey,
    (known) => known && { ...known, settings },
  );
}
