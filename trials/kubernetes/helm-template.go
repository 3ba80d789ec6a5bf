// Renders a chart as `helm template` does, for machines without Helm: the same template engine and the same
// functions (text/template, Sprig), without hooks' order and without checks of a cluster.
//
//	helm-template <chart> <release> <namespace> <values.yaml>...
package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"gopkg.in/yaml.v3"
)

type object = map[string]interface{}

// Files is `.Files` of a template.
type Files struct{ chart string }

// Get returns a file of the chart, or nothing if there is none.
func (files Files) Get(name string) string {
	text, _ := os.ReadFile(filepath.Join(files.chart, name))
	return string(text)
}

func read(file string) object {
	text, err := os.ReadFile(file)
	check(err)
	value := object{}
	check(yaml.Unmarshal(text, &value))
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Values of a later file replace those of an earlier one, objects key by key.
func merge(into, from object) {
	for key, value := range from {
		below, isObject := value.(object)
		known, wasObject := into[key].(object)
		if isObject && wasObject {
			merge(known, below)
		} else {
			into[key] = value
		}
	}
}

func main() {
	chart, release, namespace := os.Args[1], os.Args[2], os.Args[3]
	values := read(filepath.Join(chart, "values.yaml"))
	for _, file := range os.Args[4:] {
		merge(values, read(file))
	}
	facts := read(filepath.Join(chart, "Chart.yaml"))
	data := object{
		"Values":  values,
		"Release": object{"Name": release, "Namespace": namespace, "Service": "Helm"},
		"Chart":   object{"Name": facts["name"], "Version": facts["version"], "AppVersion": facts["appVersion"]},
		"Files":   Files{chart},
	}

	all := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	functions["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		var out bytes.Buffer
		encoder := yaml.NewEncoder(&out)
		encoder.SetIndent(2)
		err := encoder.Encode(value)
		return strings.TrimSuffix(out.String(), "\n"), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	all.Funcs(functions)

	names, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	check(err)
	sort.Strings(names)
	for _, name := range names {
		text, err := os.ReadFile(name)
		check(err)
		_, err = all.New(filepath.Base(name)).Parse(string(text))
		check(err)
	}
	for _, name := range names {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		var out bytes.Buffer
		check(all.ExecuteTemplate(&out, filepath.Base(name), data))
		if strings.TrimSpace(out.String()) != "" {
			fmt.Printf("---\n# %s\n%s\n", filepath.Base(name), out.String())
		}
	}
}
