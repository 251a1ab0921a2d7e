package browser

// accessible reports faults of the page that axe-core does not look for, some by the Web Content
// Accessibility Guidelines 2.2, level AA.
func (b *Browser) accessible(what string) {
	b.Helper()
	for _, fault := range Evaluate[[]string](b, accessibleScript) {
		b.Errorf("%s: %s", what, fault)
	}
}

const accessibleScript = `(() => {
	const all = selector => [...document.querySelectorAll(selector)], faults = [];
	const tell = e => e.outerHTML.slice(0, 90);
	const seen = e => e.checkVisibility({visibilityProperty: true}) && e.getBoundingClientRect().width > 0;
	// References lead somewhere.
	const ids = all("[id]").map(e => e.id);
	for (const attribute of ["for", "href", "aria-labelledby", "aria-describedby"])
		for (const e of all("[" + attribute + "]")) for (const id of e.getAttribute(attribute).split(" "))
			if (!(attribute === "href" && !id.startsWith("#")) && !ids.includes(id.replace("#", ""))) faults.push("leads nowhere: " + tell(e));
	// 1.3.1: headings go down one level at a time, and headers of tables say of what they are.
	let level = 0;
	for (const e of all("h1, h2, h3, h4, h5, h6").filter(seen)) {
		if (+e.tagName[1] > level + 1) faults.push("heading skips a level: " + tell(e));
		level = +e.tagName[1];
	}
	if (all("h1").length !== 1) faults.push("not one first heading");
	for (const e of all("th")) if (!e.scope) faults.push("header of a table without a scope: " + tell(e));
	// 2.5.8: targets are 24 pixels high and wide.
	for (const e of all("button, input, select, summary").filter(seen)) {
		const box = e.getBoundingClientRect();
		if ((box.height < 24 || box.width < 24) && !(e.type === "range" || e.type === "checkbox")) faults.push("small, " + box.width + " by " + box.height + ": " + tell(e));
	}
	// 1.4.10: nothing is wider than the window.
	const width = document.documentElement.clientWidth;
	for (const e of all("body *")) if (seen(e) && e.getBoundingClientRect().right > width + 1) faults.push("wider than the window: " + tell(e));
	return [...new Set(faults)].slice(0, 20);
})()`
