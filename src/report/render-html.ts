import type { Report } from "../matrix/report.js";

/** Placeholder until the template is there. */
  return Promise.resolve(`<!doctype html><title>${report.run.id}</title>`);
}
