import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Button } from "react-aria-components";
import { call } from "../api/call.ts";
import { Icon } from "../kit/icon.tsx";
import { t } from "../text/t.ts";
import { locale } from "../text/locale.ts";
import { Addressee } from "./addressee.tsx";
import { countSegments } from "./contract.ts";
import { draftOf, NEW_TEXT, SMS, textGaps, type Form } from "./form.ts";
import { MessageBubble } from "./message-bubble.tsx";
import { templatesQuery } from "./queries.ts";
import { skipWord } from "./words.ts";
import type { Stored } from "./wizard.tsx";

const SHOWN = 8;
/** How long typing must pause before the server is asked again. */
const REST_MS = 400;

/** One text of the campaign as a phone shows it, for one real person after another, in either direction of reading. */
export function PhonePreview({
  form,
  index,
  stored,
}: {
  readonly form: Form;
  readonly index: number;
  readonly stored: Stored | null;
}) {
  const text = form.texts[index] ?? NEW_TEXT;
  const channelId = form.way === SMS || form.way === "" ? null : form.way;
  const templates = useQuery(templatesQuery(channelId)).data ?? [];
  const template = templates.find(({ id }) => id === text.templateId);
  const ready =
    form.way !== "" && textGaps(form, templates, index).every(({ what }) => what === "variantName");
  const written = JSON.stringify(draftOf(form, index));
  const asked = useRested(written);
  const { data, isFetching, isError } = useQuery({
    queryKey: ["campaigns", "preview", stored?.id, asked],
    queryFn: ({ signal }) =>
      call("previewDraft", {
        body: { ...(stored && { id: stored.id }), draft: JSON.parse(asked), count: SHOWN },
        signal,
      }),
    enabled: ready && asked === written,
    placeholderData: keepPreviousData,
    retry: false,
  });
  const [place, setPlace] = useState(0);
  const [rtl, setRtl] = useState(locale === "ar");
  const people = ready ? (data?.contacts ?? []) : [];
  const person = people[Math.min(place, people.length - 1)];
  return (
    <section className="campaign-phone-side" aria-label={t("campaigns.phone")}>
      <div className="campaign-phone-head">
        <Button
          className="quiet"
          aria-label={t("campaigns.phone.before")}
          isDisabled={people.length < 2 || place === 0}
          onPress={() => setPlace(place - 1)}
        >
          <Icon name="chevron-left" />
        </Button>
        <span role="status">
          {person ? (
            <>
              <Addressee of={person} on={form.kind === "TEXT" ? "TELEGRAM" : "WHATSAPP"} />{" "}
              <small>
                {t("campaigns.phone.place", {
                  place: Math.min(place, people.length - 1) + 1,
                  of: people.length,
                })}
              </small>
            </>
          ) : (
            t(ready && !isError && isFetching ? "kit.loading" : "campaigns.phone.nobody")
          )}
        </span>
        <Button
          className="quiet"
          aria-label={t("campaigns.phone.after")}
          isDisabled={place >= people.length - 1}
          onPress={() => setPlace(place + 1)}
        >
          <Icon name="chevron-left" />
        </Button>
      </div>
      <div className="campaign-phone" dir={rtl ? "rtl" : "ltr"} data-kind={form.kind}>
        <div className="campaign-phone-bar" aria-hidden="true" />
        {person?.skipped != null ? (
          <p className="campaign-phone-none">
            {t("campaigns.phone.skipped", { why: skipWord(person.skipped) })}
          </p>
        ) : (
          <MessageBubble text={text} template={template} person={person} kind={form.kind} />
        )}
      </div>
      <div className="campaign-phone-foot">
        <Button className="quiet" onPress={() => setRtl(!rtl)}>
          {t(rtl ? "campaigns.phone.toLtr" : "campaigns.phone.toRtl")}
        </Button>
        {form.kind === "SMS" && person?.text != null && <Parts text={person.text} />}
      </div>
    </section>
  );
}

function Parts({ text }: { readonly text: string }) {
  const { segments, units } = countSegments(text);
  return <span className="hint">{t("campaigns.sms.count", { parts: segments, units })}</span>;
}

/** The value after it has not changed for a moment. */
export function useRested(value: string): string {
  const [rested, setRested] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setRested(value), REST_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return rested;
}
