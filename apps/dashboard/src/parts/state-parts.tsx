import { Button, Tab, TabPanel, Tabs } from "react-aria-components";
import { ApiError } from "../api/api-error.ts";
import { Badge, type Tone } from "../kit/badge.tsx";
import { Bars } from "../kit/bars.tsx";
import { ChangedMeanwhile } from "../kit/changed-meanwhile.tsx";
import { EmptyState } from "../kit/empty.tsx";
import { Failure } from "../kit/failure.tsx";
import { Facts, Part } from "../kit/page.tsx";
import { PageLate } from "../kit/page-late.tsx";
import { Progress } from "../kit/progress.tsx";
import { ProvenDownload } from "../kit/proven-download.tsx";
import { TabRow } from "../kit/tab-row.tsx";
import { say } from "./say.ts";

const TONES = {
  plain: ["Draft", "مسودة"],
  ok: ["Delivered", "تم التسليم"],
  warn: ["Paused", "متوقفة"],
  bad: ["Failed", "فشلت"],
  info: ["Scheduled", "مجدولة"],
  accent: ["Running", "جارية"],
} as const satisfies Record<Tone, readonly [string, string]>;

export function StateParts() {
  return (
    <Part title={say("States", "الحالات")} actions={<Button>{say("An action", "إجراء")}</Button>}>
      <div className="parts-row">
        {Object.entries(TONES).map(([tone, [en, ar]]) => (
          <Badge key={tone} {...(isTone(tone) && { tone })}>
            {say(en, ar)}
          </Badge>
        ))}
      </div>
      <Failure of={new ApiError({ code: "NO_CONNECTION" })}>
        <Button>{say("Try again", "حاول مجددًا")}</Button>
      </Failure>
      <Failure of={new ApiError({ code: "INTERNAL", status: 500, requestId: "req_01J9ZK" })} />
      <Failure
        of={
          new ApiError({
            code: "VALIDATION_FAILED",
            status: 400,
            details: [
              { path: "name", message: "must have at most 60 characters" },
              { path: "rules[0].value", message: "must be a number" },
            ],
          })
        }
      />
      <ChangedMeanwhile
        version={{
          other: new ApiError({
            code: "VERSION_MISMATCH",
            status: 412,
            details: [
              { path: "", message: "", params: { by: "key:1", at: "2026-11-25T14:05:00Z" } },
            ],
          }),
        }}
        save={{ busy: false, failed: null, start: () => {} }}
        load={() => Promise.resolve()}
      />
      <EmptyState
        title={say("No saved replies", "لا ردود محفوظة")}
        text={say("Save answers that you write often.", "احفظ الردود التي تكتبها كثيرًا.")}
      >
        <Button className="primary">{say("Add a reply", "إضافة رد")}</Button>
      </EmptyState>
      <EmptyState title={say("Nothing here", "لا شيء هنا")} />
      <Facts
        of={[
          [say("Created", "أُنشئت"), say("25 Nov 2026, 14:05", "25 نوفمبر 2026، 14:05")],
          [say("Channel", "القناة"), "WhatsApp"],
          [
            say("Address", "العنوان"),
            <bdi key="a" dir="ltr">
              {"https://shop.example/a-very-long-address/of/a-receiver?with=words"}
            </bdi>,
          ],
        ]}
      />
      <PageLate />
      <div className="parts-row">
        <ProvenDownload address="#main" name={say("Download", "تنزيل")} />
      </div>
    </Part>
  );
}

const isTone = (word: string): word is Tone => Object.hasOwn(TONES, word);
/** More tabs than a phone has room for; the last one is chosen. */
export function TabParts() {
  const name = say("Tabs", "علامات التبويب");
  const ids = Array.from({ length: 9 }, (_, index) => String(index + 1));
  return (
    <Part title={name}>
      <Tabs defaultSelectedKey="9">
        <TabRow name={name}>
          {ids.map((id) => (
            <Tab key={id} id={id}>
              {say(`Tab number ${id}`, `التبويب رقم ${id}`)}
            </Tab>
          ))}
        </TabRow>
        {ids.map((id) => (
          <TabPanel key={id} id={id}>
            {say(`What tab ${id} shows.`, `ما يعرضه التبويب ${id}.`)}
          </TabPanel>
        ))}
      </Tabs>
    </Part>
  );
}

const series = (length: number) =>
  Array.from({ length }, (_, day) => ({
    name: say(`${day + 1} Nov`, `${day + 1} نوفمبر`),
    value: day === 3 ? 0 : Math.round(400 + 380 * Math.sin(day / 2.2)),
  }));

export function FigureParts() {
  const names = [say("Day", "اليوم"), say("Messages", "الرسائل")] as const;
  return (
    <Part title={say("Figures", "الأرقام")}>
      <div className="parts-grid">
        <Progress label={say("Sending", "الإرسال")} done={0} of={1200} />
        <Progress
          label={say("Sending", "الإرسال")}
          done={480}
          of={1200}
          text={say("480 of 1,200", "480 من 1,200")}
        />
        <Progress label={say("Plan", "الباقة")} done={1080} of={1200} tone="warn" />
        <Progress label={say("Plan", "الباقة")} done={1200} of={1200} tone="bad" />
        <Progress
          label={say("Reading the file", "قراءة الملف")}
          done={0}
          of={0}
          text={say("Not known yet", "غير معروف بعد")}
        />
      </div>
      <Bars title={say("Messages a day", "الرسائل في اليوم")} names={names} of={series(30)} />
      <Bars title={say("A few days", "أيام قليلة")} names={names} of={series(5)} />
      <Bars title={say("No day", "لا أيام")} names={names} of={[]} />
    </Part>
  );
}
