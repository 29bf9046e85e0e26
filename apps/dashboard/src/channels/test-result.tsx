import type { AnswerOf } from "../api/call.ts";
import { t } from "../text/t.ts";
import { fieldName, type ChannelType } from "./platforms.ts";
import { PlatformWords } from "./problems.tsx";

export type Tested = AnswerOf<"testChannel"> & {
  readonly name: string;
  readonly type: ChannelType;
};

/** The result of a test: it works, which value is refused, or that the platform could not be asked. */
export function TestResult({ of: { channel, fault, name, type } }: { readonly of: Tested }) {
  if (fault !== null) {
    const fields = [fault.field, fault.orField].flatMap((one) =>
      one === null ? [] : [fieldName(one)],
    );
    return (
      <div role="alert" className="failure">
        <p>{t("channels.test.fault", { name, field: fields.join(" · ") })}</p>
        <PlatformWords words={fault.reason} />
        <p>{t("channels.test.again", { name })}</p>
      </div>
    );
  }
  const trouble = channel.problems.find(({ kind }) => kind === "not_set_up" || kind === "error");
  if (trouble)
    return (
      <div role="alert" className="failure">
        <p>
          {trouble.kind === "error"
            ? t("channels.problem.error")
            : t("channels.test.unasked", { name })}
        </p>
        {trouble.reason !== null && <PlatformWords words={trouble.reason} />}
      </div>
    );
  return (
    <p role="status" className="channel-good">
      {type === "WEB" ? t("channels.test.web", { name }) : t("channels.test.good", { name })}
    </p>
  );
}
