import { Button } from "react-aria-components";
import type { AnswerOf } from "../api/call.ts";
import { Part } from "../kit/page.tsx";
import { DataTable } from "../kit/table.tsx";
import { t } from "../text/t.ts";

type Phone = AnswerOf<"listPhones">["phones"][number];

/** The addresses at which every send of this platform fails in a certain way, and the way to play one of them. */
export function MagicAddresses({
  phone,
  choose,
}: {
  readonly phone: Phone;
  readonly choose: (customer: string) => void;
}) {
  return (
    <Part title={t("sandbox.magic")}>
      <p>{t("sandbox.magic.text")}</p>
      <DataTable
        name={t("sandbox.magic")}
        rows={phone.magic}
        id={({ ending }) => ending}
        columns={[
          {
            key: "address",
            name: t("sandbox.magic.address"),
            cell: ({ customer }) => <bdi dir="ltr">{customer}</bdi>,
          },
          {
            key: "kind",
            name: t("sandbox.magic.kind"),
            cell: ({ kind }) => t(`sandbox.fault.${kind}`),
          },
          {
            key: "play",
            name: t("channels.action"),
            action: true,
            cell: ({ customer }) => (
              <Button
                aria-label={t("sandbox.magic.play.of", { customer })}
                onPress={() => choose(customer)}
              >
                {t("sandbox.magic.play")}
              </Button>
            ),
          },
        ]}
      />
    </Part>
  );
}
