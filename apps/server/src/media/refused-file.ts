import { invalid, type AppError } from "../errors.ts";
import { faultText, type FileFault } from "./media-fit.ts";

/** Makes the error that refuses a file of the input. Its reason has the fault's code, and its figures for the words. */
export function refusedFile(path: string, fault: FileFault): AppError {
  const { code, ...params } = fault;
  return invalid(path, faultText(fault), { code, params });
}
