import assert from "node:assert/strict";
import { test } from "node:test";
import { AppError } from "../../errors.ts";
import { columnFaultIn } from "./column-fault-in.ts";
import { COLUMN_FAULTS } from "./column-fault-codes.ts";
import { columnFault, readColumnNames } from "./import-columns.ts";

const faultOf = (run: () => unknown): AppError => {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof AppError);
    return error;
  }
  assert.fail("the columns are taken");
};

const wide = Array.from({ length: 30 }, (_, n) => `Column "${n}"`);
const FAULTS: readonly (() => unknown)[] = [
  () => readColumnNames(["phone", "حجم, الحذاء"]),
  () => readColumnNames(["phone", 'Shoe "size"', "Ort"]),
  () => readColumnNames(wide),
  () => readColumnNames(["phone", "Tel", "Mobile"]),
  () => readColumnNames(["phone", "phone"]),
  () => readColumnNames(["name", "First name", "phone"]),
  () => readColumnNames(["phone"], { Nowhere: "name" }),
  () => readColumnNames(["phone"], { "*": "name" }),
  () => readColumnNames(["phone"], { phone: "password" }),
  () => {
    throw columnFault("header", "there is a quote inside a field that is not quoted", "quote");
  },
  () => {
    throw columnFault("header", "there is text after a closing quote", "quote");
  },
];

test("the message of every fault of columns leads back to its code and names", () => {
  const seen = new Set<string>();
  for (const run of FAULTS) {
    const { message, facts } = faultOf(run);
    const [detail] = facts.details ?? [];
    assert.deepEqual(
      columnFaultIn(message),
      { code: detail?.code, params: { ...detail?.params } },
      message,
    );
    seen.add(detail?.code ?? "");
  }
  assert.deepEqual([...seen].sort(), COLUMN_FAULTS.map((code) => `columns.${code}`).sort());
  assert.equal(columnFaultIn("country: XX has no phone numbers of its own"), null);
});
