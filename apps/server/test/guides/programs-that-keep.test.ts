import { runPages } from "./run-programs.ts";

// The programs that keep a file of their own between runs.
runPages(["order-updates", "crm", "mirror"]);
