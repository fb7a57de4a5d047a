import { pathToFileURL } from 'node:url';
import { type Browser, chromium, type Page } from 'playwright-core';

/** The machine's chromium, without anything that goes to the network. */
export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

export interface OpenedPage {
  readonly page: Page;
  /** Errors and warnings of the console, and requests. */
  readonly trouble: readonly string[];
}

/** Opens a file of this machine. */
export async function openFile(
  browser: Browser,
  file: string,
  {
    hash = '',
    ...options
  }: {
    readonly hash?: string;
    readonly javaScriptEnabled?: boolean;
    readonly width?: number;
    readonly dark?: boolean;
    readonly forcedColors?: boolean;
  } = {},
): Promise<OpenedPage> {
  const { width = 1440, dark = false, forcedColors = false, javaScriptEnabled = true } = options;
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: dark ? 'dark' : 'light',
    forcedColors: forcedColors ? 'active' : 'none',
    javaScriptEnabled,
  });
  const page = await context.newPage();
  const trouble: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') trouble.push(message.text());
  });
  page.on('pageerror', (error) => trouble.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) trouble.push(`asked for ${request.url()}`);
  });
  page.on('dialog', (dialog) => {
    trouble.push(`said ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(pathToFileURL(file).href + hash);
  return { page, trouble };
}
