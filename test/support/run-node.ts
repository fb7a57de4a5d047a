import { execFile } from 'node:child_process';

/** Runs a script with Node; `code` is null when a signal ended it. */
export function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  cwd: string = process.cwd(),
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [...args],
      { cwd, env: { ...process.env, ...env }, timeout: 600_000 },
      (_, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr });
      },
    );
  });
}
