import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "../../errors.ts";
import { readImportRows, type ReadOptions } from "./import-rows.ts";

/** What each row says, without empty fields; or why it is refused. */
async function read(file: string | Uint8Array, options: Partial<ReadOptions> = {}) {
  const rows: unknown[] = [];
  const source = (async function* () {
    yield Buffer.from(file);
  })();
  for await (const row of readImportRows(source, { format: "csv", ...options }))
    rows.push(
      "reason" in row
        ? row.reason
        : Object.fromEntries(
            Object.entries(row.contact).filter(
              ([, value]) =>
                value !== null && (typeof value !== "object" || Object.keys(value).length > 0),
            ),
          ),
    );
  return rows;
}
const refuses = (details: RegExp) => (error: unknown) => {
  assert.ok(error instanceof AppError);
  assert.match(error.message, details);
  return true;
};
const REST = { map: { "*": "ignore" } };

/** The headers of each program's own export, and rows as it writes them. */
const exports: readonly {
  readonly of: string;
  readonly file: string | Uint8Array;
  /** Columns that a first try without a mapping must report as unknown. */
  readonly unknown: readonly string[];
  readonly map?: Readonly<Record<string, string>>;
  readonly people: readonly unknown[];
}[] = [
  {
    of: "Google Contacts",
    file:
      "First Name,Middle Name,Last Name,Phonetic First Name,Name Prefix,Nickname,File As,Organization Name,Birthday,Notes,Photo,Labels,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Phone 2 - Label,Phone 2 - Value\n" +
      'Sara,,Ahmed,,Dr.,,,Acme,,"two\nlines",https://x.example/p.jpg,VIP ::: * starred ::: * myContacts,* Home,sara@example.com,,,Mobile,+965 5000 0001,Work,2222 2222\n' +
      "Omar,Ali,,,,,,,,,,* myContacts,,,,,Mobile,+965 5000 0002 ::: +965 5000 0003,,\n",
    unknown: ["Phonetic First Name", "Phone 2 - Value"],
    people: [
      {
        name: "Sara Ahmed",
        email: "sara@example.com",
        phone: "96550000001",
        notes: "two\nlines",
        tags: ["vip", "starred"],
      },
      "phone: holds 2 numbers: leave the one to write to",
    ],
  },
  {
    of: "Google Contacts, as before 2024",
    file: "Name,Given Name,Additional Name,Family Name,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value\nDr. Sara Ahmed,Sara,,Ahmed,Clients ::: * myContacts,* Work,s@example.com,Mobile,00965-5000-0001\n,Omar,Bin,Ali,,,,Mobile,50000002\n",
    unknown: ["E-mail 1 - Type", "Phone 1 - Type"],
    people: [
      {
        name: "Dr. Sara Ahmed",
        email: "s@example.com",
        phone: "96550000001",
        tags: ["clients"],
      },
      { name: "Omar Bin Ali", phone: "50000002" },
    ],
  },
  {
    of: "Outlook, UTF-16 and semicolons",
    file: Buffer.from(
      '\ufeff"Title";"First Name";"Middle Name";"Last Name";"Company";"Business Phone";"Mobile Phone";"Categories";"E-mail Address";"E-mail Type";"Notes"\r\n"";"سارة";"";"أحمد";"";"";"+965 5000 0001";"VIP;Kuwait";"s@example.com";"SMTP";""\r\n',
      "utf16le",
    ),
    unknown: ["Title", "Company", "Business Phone", "E-mail Type"],
    people: [
      {
        name: "سارة أحمد",
        email: "s@example.com",
        phone: "96550000001",
        tags: ["vip", "kuwait"],
      },
    ],
  },
  {
    of: "HubSpot",
    file: '"Record ID","First Name","Last Name","Email","Phone Number","Lead Status","Marketing contact status","Unsubscribed from all email","Create Date"\n"151","Sara","Ahmed","s@example.com","+96550000001","New","Marketing contact","false","2025-01-02 10:00"\n',
    unknown: ["Record ID", "Marketing contact status", "Unsubscribed from all email"],
    people: [{ name: "Sara Ahmed", email: "s@example.com", phone: "96550000001" }],
  },
  {
    of: "Shopify",
    file: "Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Phone,Phone,Accepts SMS Marketing,Total Spent,Total Orders,Note,Tax Exempt,Tags\n'7123456789,Sara,Ahmed,s@example.com,yes,,'+96522222222,'+96550000001,no,10.500,2,Likes blue,no,\"vip, wholesale\"\n",
    unknown: ["Customer ID", "Accepts Email Marketing", "Accepts SMS Marketing"],
    people: [
      {
        name: "Sara Ahmed",
        email: "s@example.com",
        phone: "96550000001",
        notes: "Likes blue",
        tags: ["vip", "wholesale"],
      },
    ],
  },
  {
    of: "Mailchimp",
    file: 'Email Address,First Name,Last Name,Phone Number,MEMBER_RATING,OPTIN_TIME,LAST_CHANGED,NOTES,TAGS\ns@example.com,Sara,Ahmed,+96550000001,2,"2025-01-01 10:00:00","2025-01-01 10:00:00",,"""VIP"",""Kuwait, City"""\n',
    unknown: ["MEMBER_RATING", "OPTIN_TIME", "LAST_CHANGED"],
    people: [
      {
        name: "Sara Ahmed",
        email: "s@example.com",
        phone: "96550000001",
        tags: ["vip", "kuwait, city"],
      },
    ],
  },
  {
    of: "Salesforce, which number is meant said by a mapping",
    file: "Last Name,First Name,Account Name,Phone,Mobile,Email\nAhmed,Sara,Acme,22222222,+96550000001,s@example.com\n",
    unknown: ["Account Name"],
    map: { Phone: "attribute.office" },
    people: [
      {
        name: "Sara Ahmed",
        email: "s@example.com",
        phone: "96550000001",
        attributes: { office: "22222222" },
      },
    ],
  },
];
for (const one of exports) {
  test(`contacts as ${one.of} exports them`, async () => {
    await assert.rejects(read(one.file), (error: unknown) => {
      assert.ok(error instanceof AppError);
      for (const name of one.unknown) assert.ok(error.message.includes(`"${name}"`), error.message);
      return true;
    });
    const map = { ...REST.map, ...one.map };
    assert.deepEqual(await read(one.file, { map }), one.people);
  });
}

test("first and last name make the name, in that order, by their Arabic names and by a mapping too", async () => {
  const file = "اسم العائلة,الاسم الأول,رقم الجوال\nأحمد,سارة,1\n,عمر,2\nخالد,,3\n,,4\n";
  assert.deepEqual(await read(file), [
    { name: "سارة أحمد", phone: "1" },
    { name: "عمر", phone: "2" },
    { name: "خالد", phone: "3" },
    { phone: "4" },
  ]);
  const map = { Vorname: "firstName", Name: "lastName" };
  assert.deepEqual(await read("Name,Vorname,Tel\nMüller,Anna,1\n", { map }), [
    { name: "Anna Müller", phone: "1" },
  ]);
  const objects = [
    '{"first_name":"Sara","lastName":"Ahmed","phone":"1"}',
    '{"name":"","first_name":"Sara","lastName":null,"phone":"2"}',
    '{"first_name":5,"lastName":"Ahmed","phone":"3"}',
    '{"name":"Ahmed","first_name":"Sara","phone":"4"}',
  ];
  assert.deepEqual(await read(objects.join("\n"), { format: "jsonl" }), [
    { name: "Sara Ahmed", phone: "1" },
    { name: "Sara", phone: "2" },
    "firstName: must be text",
    "line: there are name and firstName, and no lastName: map what is name to lastName, or what is firstName to ignore",
  ]);
});

test("a full name is taken as it is; beside only one part it may be the other part, so the user is asked", async () => {
  assert.deepEqual(
    await read("First name,Last name,Full name,phone\nSara,Ahmed,Dr. Sara Ahmed,1\nOmar,Ali, ,2\n"),
    [
      { name: "Dr. Sara Ahmed", phone: "1" },
      { name: "Omar Ali", phone: "2" },
    ],
  );
  await assert.rejects(
    read("Name,Surname,phone\nSara,Ahmed,1\n"),
    refuses(
      /header: there are name and lastName, and no firstName: map what is name to firstName, or what is lastName to ignore/,
    ),
  );
});

test("unknown columns are reported together, and none is read as somebody's consent", async () => {
  const consent = ["Accepts Marketing", "Email Marketing Status", "Opted In", "Email Opt Out"];
  await assert.rejects(
    read(`phone,${consent.join(",")}\n1,yes,subscribed,yes,1\n`),
    refuses(
      /^header: the columns "Accepts Marketing", "Email Marketing Status", "Opted In", "Email Opt Out" are not known; map each to a field, to attribute\.<key> or to ignore; '\*=ignore' passes over all of them$/,
    ),
  );
  assert.deepEqual(await read(`phone,${consent.join(",")}\n1,yes,subscribed,yes,1\n`, REST), [
    { phone: "1" },
  ]);
  const wide = Array.from({ length: 25 }, (_, n) => `c${n}`);
  await assert.rejects(read(`phone,${wide.join(",")}\n`), refuses(/"c19" and 5 more are not/));
  await assert.rejects(
    read("phone,x\n", { map: { "*": "attribute.x" } }),
    refuses(/map: "\*" is every column that is not known: it takes ignore only/),
  );
});

test("two columns of one field are reported by their names in the file", async () => {
  await assert.rejects(
    read("Phone,Mobile,Name\n1,2,A\n", REST),
    refuses(
      /the columns "Phone" and "Mobile" mean one field, phone: map all but one to ignore or to attribute\.<key>/,
    ),
  );
  await assert.rejects(
    read("Phone,Name,Phone\n1,A,2\n"),
    refuses(/the column "Phone" is there twice: leave one, or name them differently/),
  );
});

test("columns without a name after the last named one are ignored as long as they are empty", async () => {
  assert.deepEqual(await read("name,phone,,\nA,1,,\nB,2,,x\nC,3\n"), [
    { name: "A", phone: "1" },
    "4 fields where the header has 2",
    { name: "C", phone: "3" },
  ]);
  await assert.rejects(read(",phone\n0,1\n"), refuses(/the column "" is not known/));
});

test("a number in JSON is read as that number; several numbers in a cell are reported", async () => {
  const jsonl = ["96550000001", "96550000001.0", "9007199254740993", "1e21", "-5", "1.5", "true"];
  const text = jsonl.map((phone) => `{"phone":${phone}}`).join("\n");
  const inexact = "phone: has more digits than a number keeps; give it as text, in quotes";
  assert.deepEqual(await read(text, { format: "jsonl" }), [
    { phone: "96550000001" },
    { phone: "96550000001" },
    inexact,
    inexact,
    "phone: must be text or a whole number",
    "phone: must be text or a whole number",
    "phone: must be text",
  ]);
  const cells = [
    '"+965 5000 0001\n+965 5000 0002"',
    "50000001 / 50000002",
    '"50000001; 50000002;"',
    '"96,550,000,001"',
    "50000001 ::: ",
  ];
  assert.deepEqual(await read(`phone\n${cells.join("\n")}\n`), [
    ...[1, 2, 3].map(() => "phone: holds 2 numbers: leave the one to write to"),
    "phone: must be 1 to 40 digits",
    "phone: must be 1 to 40 digits",
  ]);
});

test("numbers that a spreadsheet shortened are refused, with advice", async () => {
  for (const cell of ["9.65E+12", '"9,65E+11"', "965E9", "٩٫٦٥E+١١"])
    assert.deepEqual(await read(`phone\n${cell}\n`), [
      "phone: is a number that a spreadsheet shortened, its last digits are lost: make the column text there and export it again",
    ]);
});
