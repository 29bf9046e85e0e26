import { useState } from "react";
import { Button } from "react-aria-components";
import { Badge } from "../kit/badge.tsx";
import { count } from "../kit/format.ts";
import { Part } from "../kit/page.tsx";
import { Pager } from "../kit/pager.tsx";
import { PersonName, Phone } from "../kit/phone.tsx";
import { DataTable, Nothing, type Column, type Sorting } from "../kit/table.tsx";
import { say } from "./say.ts";

interface Row {
  readonly id: string;
  readonly name: string;
  readonly phone: string | null;
  readonly messages: number;
  readonly ok: boolean;
}

const ROWS: readonly Row[] = [
  { id: "1", name: "Sara Al-Mutairi", phone: "96550012345", messages: 1204, ok: true },
  { id: "2", name: "ليلى الأحمد", phone: null, messages: 3, ok: false },
  { id: "3", name: "+4915112345678", phone: "4915112345678", messages: 0, ok: true },
  {
    id: "4",
    name: "A person with a name that is much longer than the column in which it is shown",
    phone: "12025550123",
    messages: 88_412,
    ok: true,
  },
];

const columns = (): readonly Column<Row>[] => [
  {
    key: "name",
    name: say("Name", "الاسم"),
    sortable: true,
    cell: ({ name }) => <PersonName of={name} />,
  },
  {
    key: "phone",
    name: say("Phone", "الهاتف"),
    cell: ({ phone }) => (phone === null ? <Nothing /> : <Phone of={phone} />),
  },
  {
    key: "ok",
    name: say("Consent", "الموافقة"),
    cell: ({ ok }) => (
      <Badge tone={ok ? "ok" : "bad"}>
        {ok ? say("Opted in", "موافق") : say("Opted out", "رافض")}
      </Badge>
    ),
  },
  {
    key: "messages",
    name: say("Messages", "الرسائل"),
    numeric: true,
    sortable: true,
    cell: ({ messages }) => count(messages),
  },
  {
    key: "act",
    name: say("Actions", "الإجراءات"),
    action: true,
    cell: () => <Button className="quiet">{say("Edit", "تعديل")}</Button>,
  },
];

export function TableParts() {
  const [sorting, sort] = useState<Sorting>({ by: "name", descending: false });
  const [selected, change] = useState<ReadonlySet<string>>(new Set(["2"]));
  const rest = { columns: columns(), rows: ROWS, id: ({ id }: Row) => id };
  return (
    <Part title={say("Tables", "الجداول")}>
      <DataTable
        name={say("Sorted and selected", "مرتب ومحدد")}
        {...rest}
        href={() => "#main"}
        sorting={sorting}
        sort={sort}
        selecting={{ selected, name: ({ name }) => name, change }}
      />
      <Pager
        text={say("1 to 4 of 88", "1 إلى 4 من 88")}
        previous={undefined}
        next={() => undefined}
      />
      <DataTable name={say("Busy", "مشغول")} {...rest} busy />
      <DataTable
        name={say("No cards on a phone", "دون بطاقات على الهاتف")}
        {...rest}
        cards={false}
      />
    </Part>
  );
}
