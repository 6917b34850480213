// Package wiretest checks that handlers keep to what package wire declares of them.
//
// Use it in the tests of every package of handlers: call a service through [Hold]. The test
// panics, and names the place, if a request that was answered, a reply or an error is not
// as declared. [Main] checks the other direction: that some test has seen everything that
// is declared.
package wiretest

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"cloister/wasm/api"
	"cloister/wasm/wire"
	"cloister/wasm/wire/shape"
)

// Service answers as the service it was made of.
type Service struct{ service *api.Service }

// Hold returns the services, merged, held to the declarations.
func Hold(services ...*api.Service) *Service { return &Service{api.Merge(services...)} }

// Answer is that of api.Service.
func (s *Service) Answer(
	method string, params any, progress func(map[string]any),
) (map[string]any, *api.Error) {
	reply, failed := s.service.Answer(method, params, progress)
	if failed != nil {
		must("the error of "+method, reflect.TypeFor[wire.WireError](), failed.Tree(), nil)
		return reply, failed
	}
	call, ok := named(method)
	if !ok {
		panic("wiretest: package wire declares no method " + method)
	}
	must("what "+method+" is asked", call.Params, params, note)
	must("what "+method+" answers", call.Result, reply, note)
	return reply, failed
}

// declared are the declarations, read once.
var declared = sync.OnceValue(func() *shape.Set {
	set, err := shape.Read(top(), wire.Values)
	if err != nil {
		panic(err)
	}
	return set
})

// top is the folder of the repository, from a package's own, where its tests run.
func top() string {
	for path := "."; len(path) < 64; path += "/.." {
		if _, err := os.Stat(path + "/go.mod"); err == nil {
			return path
		}
	}
	panic("wiretest: no go.mod above the test")
}

func named(method string) (wire.Call, bool) {
	for _, b := range wire.Binaries {
		for _, c := range b.Calls {
			if c.Name == method {
				return c, true
			}
		}
	}
	return wire.Call{}, false
}

func must(what string, t reflect.Type, value any, saw shape.Saw) {
	of, err := shape.Parse(t.String())
	if err == nil {
		err = declared().Fits(of, value, saw)
	}
	if err != nil {
		panic(fmt.Sprintf("%s is not as package wire declares it (%s): %v", what, t, err))
	}
}

var (
	seen = map[string]bool{}
	lock sync.Mutex
)

func note(object, field string) {
	lock.Lock()
	defer lock.Unlock()
	seen[object+"."+field] = true
}

// Main runs a package's tests, and fails if they have not seen, in a request that was answered or
// in a reply, each field that is declared of the methods of these services; but for those in
// except, with the reason why no test here can. It looks only where all tests ran.
func Main(m *testing.M, except map[string]string, calls ...[]wire.Call) {
	code := m.Run()
	all := flag.Lookup("test.run").Value.String() == "" && !testing.Short()
	if code == 0 && all {
		var missing []string
		for _, c := range slices.Concat(calls...) {
			for _, t := range []reflect.Type{c.Params, c.Result} {
				of, err := shape.Parse(t.String())
				if err != nil {
					panic(err)
				}
				for _, field := range declared().Fields(of) {
					if !seen[field] && except[field] == "" && !slices.Contains(missing, field) {
						missing = append(missing, field)
					}
				}
			}
		}
		if len(missing) > 0 {
			fmt.Println(
				"package wire declares what no test here has seen:", strings.Join(missing, ", "),
			)
			code = 1
		}
	}
	os.Exit(code)
}
