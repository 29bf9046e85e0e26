import assert from "node:assert/strict";
import { test } from "node:test";
import { unusableDatabase } from "./unusable-database.ts";

const ADVICE = "if the root CA is installed locally, try running Node.js with --use-system-ca";

for (const [code, words] of [
  ["DEPTH_ZERO_SELF_SIGNED_CERT", `self-signed certificate; ${ADVICE}`],
  ["SELF_SIGNED_CERT_IN_CHAIN", `self-signed certificate in certificate chain; ${ADVICE}`],
  ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", `unable to get local issuer certificate; ${ADVICE}`],
  ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", `unable to verify the first certificate; ${ADVICE}`],
])
  test(`a PostgreSQL with a certificate of no known authority (${code}): the error says what to add to DATABASE_URL`, () => {
    const fault = Object.assign(new Error(words), { code });
    assert.equal(
      unusableDatabase("postgres://h/d?sslmode=require", fault).message,
      `DATABASE_URL: the database cannot be used: its certificate is of no known authority (${code}): add sslmode=verify-full&sslrootcert=FILE, the authority's certificate, or sslmode=no-verify to encrypt only`,
    );
  });

test("any other fault of a database is described in its own words", () => {
  const fault = Object.assign(new Error("Hostname/IP does not match certificate's altnames"), {
    code: "ERR_TLS_CERT_ALTNAME_INVALID",
  });
  const said = "the database cannot be used: Hostname/IP does not match certificate's altnames";
  assert.equal(unusableDatabase(undefined, fault).message, said);
});
