/**
 * Where the `vaultmem` program may be. Programs started from a desktop see a short PATH, so the usual homes of Python
 * programs are looked through too. A path chosen by the user is kept for this device only, and none is ever read from
 * the vault: a vault that somebody shared must not name what is run.
 */

import { constants } from "node:fs";
import { access, readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";

const NOTE = "program.txt";

export interface Machine {
  /** As Node's process.platform. */
  platform: string;
  home: string;
  env: Record<string, string | undefined>;
}

/** The places to look in, the likeliest first. A `*` stands for any folder. */
export function candidates(machine: Machine): string[] {
  const { home, env } = machine;
  const windows = machine.platform === "win32";
  const rules = windows ? path.win32 : path.posix;
  const join = (...parts: string[]): string => rules.join(...parts);
  const name = windows ? "vaultmem.exe" : "vaultmem";
  const bin = windows ? "Scripts" : "bin";
  const roaming = env["APPDATA"] ?? join(home, "AppData", "Roaming");
  const local = env["LOCALAPPDATA"] ?? join(home, "AppData", "Local");
  const homes = windows
    ? [join(roaming, "Python", "*", bin), join(local, "Programs", "Python", "*", bin), join(home, "pipx", "venvs", "vaultmem", bin)]
    : ["/opt/homebrew/bin", "/usr/local/bin", join(home, "Library", "Python", "*", "bin"), "/usr/bin"];
  const shared = env["XDG_DATA_HOME"] ?? join(home, ".local", "share");
  const venvs = ["vaultmem/.venv", ".venv", "venv", ".virtualenvs/vaultmem", ".venvs/vaultmem"];
  const folders = [
    join(home, ".local", "bin"),
    join(shared, "pipx", "venvs", "vaultmem", bin),
    join(shared, "uv", "tools", "vaultmem", bin),
    ...homes,
    ...venvs.map((venv) => join(home, ...venv.split("/"), bin)),
    ...onPath(machine),
  ];
  return [...new Set(folders.map((folder) => join(folder, name)))];
}

/** Folders of PATH; shims of version managers are slow and are left out, relative ones would depend on the vault. */
function onPath({ platform, env }: Machine): string[] {
  const windows = platform === "win32";
  const parts = (env["PATH"] ?? env["Path"] ?? "").split(windows ? ";" : ":");
  const rules = windows ? path.win32 : path.posix;
  return parts.filter((part) => rules.isAbsolute(part) && !/[\\/]shims[\\/]?$/.test(part));
}

/** The file in which `vaultmem obsidian install` notes its own path: in the user's data folder, as Python finds it. */
export function noteOfInstaller({ platform, home, env }: Machine): string {
  const given = env["VAULTMEM_DATA"];
  if (platform === "win32") {
    return path.win32.join(given ?? path.win32.join(env["LOCALAPPDATA"] ?? path.win32.join(home, "AppData", "Local"), "vaultmem"), NOTE);
  }
  const shared = platform === "darwin" ? path.posix.join(home, "Library", "Application Support") : (env["XDG_DATA_HOME"] ?? path.posix.join(home, ".local", "share"));
  return path.posix.join(given ?? path.posix.join(shared, "vaultmem"), NOTE);
}

/** Why a path cannot be the program; "" when it can. */
export async function problemOf(program: string, vault: string): Promise<string> {
  if (!path.isAbsolute(program)) return "The path must be absolute.";
  if (isInside(program, vault)) return "A program inside the vault is not run: whoever shares the vault could change it.";
  try {
    if (!(await stat(program)).isFile()) return "There is a folder, not a program.";
    await access(program, constants.X_OK);
    return "";
  } catch {
    return "There is no program at this path, or it may not be run.";
  }
}

function isInside(program: string, folder: string): boolean {
  const way = path.relative(folder, program);
  return way !== "" && !way.startsWith("..") && !path.isAbsolute(way);
}

/** What the installer noted, else the first candidate that can be run; "" for none. */
export async function findProgram(machine: Machine, vault: string): Promise<string> {
  const note = noteOfInstaller(machine);
  const noted = isInside(note, vault) ? "" : (await readFile(note, "utf8").catch(() => "")).trim();
  if (noted && !(await problemOf(noted, vault))) return noted;
  for (const candidate of candidates(machine)) {
    for (const program of await expand(candidate)) {
      if (!(await problemOf(program, vault))) return program;
    }
  }
  return "";
}

/** The paths that a `*` stands for, the highest version first. */
async function expand(candidate: string): Promise<string[]> {
  const [before, after] = candidate.split("*");
  if (before === undefined || after === undefined) return [candidate];
  try {
    const names = await readdir(before);
    return names.sort((a, b) => b.localeCompare(a, "en", { numeric: true })).map((name) => `${before}${name}${after}`);
  } catch {
    return [];
  }
}
