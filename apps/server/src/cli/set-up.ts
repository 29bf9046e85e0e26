import type { Command } from "commander";
import { AppError } from "../errors.ts";
import { anybodyCanSignIn } from "../logins/login.ts";
import { setUpCode, setUpLink } from "../logins/set-up-code.ts";
import type { Run } from "./command-line.ts";

/** `parley set-up-link` */
export function registerSetUpLink(command: Command, run: Run): void {
  command
    .option("--json", "print one JSON document")
    .action((options: { readonly json?: boolean }) =>
      run(
        options,
        async (app) => {
          if (await anybodyCanSignIn(app))
            throw new AppError("NOT_ALLOWED_IN_STATE", {
              explanation:
                "Parley is set up: a login exists. Add people with parley user create, or invite them in the dashboard",
            });
          return { link: setUpLink(app), code: setUpCode(app) };
        },
        ({ link }) => `${link}\n`,
      ),
    );
}
