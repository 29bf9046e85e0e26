import { runProgram } from "./command-line.ts";
import { buildProgram } from "./program.ts";

// A reader that closed early (`| head`) is no fault: the command finishes and leaves everything tidy.
process.stdout.on("error", () => {});

process.exitCode = await runProgram(buildProgram(), process.argv.slice(2));
