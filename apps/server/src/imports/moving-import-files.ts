export { selectMovingFiles as movingImportFiles } from "./import-file-store.ts";
