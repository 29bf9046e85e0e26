export { selectRunning as runningImports } from "./import-store.ts";
